/** The jobs that run in this process, for those who wait for their end. */
export class RunningJobs {
  #count = 0;
  #ended = Promise.withResolvers<void>();

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#count++;
    try {
      return await work();
    } finally {
      this.#count--;
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    }
  }

  oneEnded(): Promise<void> {
    return this.#ended.promise;
  }

  async allEnded(): Promise<void> {
    while (this.#count > 0) await this.#ended.promise;
  }
}
