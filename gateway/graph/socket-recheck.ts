import type { Access } from '../sign-in/access.ts';

/** Authorises open connections again, at intervals and after each notice of a change. Only one check runs at a time; when another one is due meanwhile, it follows. */
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
