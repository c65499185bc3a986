// Waits that can be ended before their time.
export class Waits {
  readonly #ends = new Set<() => void>();

  get size(): number {
    return this.#ends.size;
  }

  /** Resolves after so many milliseconds, or when all are ended. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#ends.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#ends.add(end);
    });
  }

  endAll(): void {
    for (const end of this.#ends) end();
  }
}
