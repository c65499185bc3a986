import type { Access } from '../sign-in/access.ts';

/** Authorises open connections again, from time to time and after each notice of a change; one check at a time, and once more for what changed during it. */
export class Recheck {
  readonly #check: () => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #isChecking = false;
  #again = false;

  constructor({ recheckMs }: { recheckMs: number }, access: Pick<Access, 'onInvalidate'>, check: () => Promise<void>) {
    this.#check = check;
    this.#timer = setInterval(() => void this.#run(), recheckMs).unref();
    this.#stopListening = access.onInvalidate(() => void this.#run());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
  }

  async #run(): Promise<void> {
    this.#again = this.#isChecking;
    if (this.#isChecking) return;
    this.#isChecking = true;
    await this.#check();
    this.#isChecking = false;
    if (this.#again) await this.#run();
  }
}
