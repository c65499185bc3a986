// When a certificate is to be renewed: within the window that its authority suggests, as long as it suggests one, else after two thirds of its life.
import { type Clock, DAY, HOUR, after } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Kept } from './certificate-store.ts';
import { askRenewalInfo, renewalIdOf, timeWithin } from './renewal-info.ts';
import { AcmeProblem, type AcmeSession } from './session.ts';

/** RFC 9773, 4.3.3: an authority that fails is asked again later, and the certificate renewed in time all the same. */
const ASK_AGAIN_MS = HOUR;
/** A window may not end a certificate unrenewed: so much of its life is left at least, as a share. */
const LEAST_LEFT = 0.1;

export interface RenewalOptions {
  clock: Clock;
  log: Log;
  open(): Promise<AcmeSession>;
  /** For tests: 0 up to 1. */
  chance?: () => number;
}

const shareOf = ({ validFrom, validTo }: Kept, share: number): Date => after(validFrom, (validTo.getTime() - validFrom.getTime()) * share);

export class Renewal {
  readonly #options: RenewalOptions;
  /** What was suggested of a certificate, and the time within it that was chosen. */
  #suggested: { chain: string; start: number; end: number; at: Date } | undefined;
  #askAt: Date | undefined;
  #asked: string | undefined;

  constructor(options: RenewalOptions) {
    this.#options = options;
  }

  due(kept: Kept): Date {
    if (this.#suggested?.chain !== kept.chain) return shareOf(kept, 2 / 3);
    const latest = shareOf(kept, 1 - LEAST_LEFT);
    return this.#suggested.at < latest ? this.#suggested.at : latest;
  }

  /** Asks the authority when it is time to. Never rejects: what was suggested before stays. */
  async ask(kept: Kept): Promise<void> {
    const { clock, log, open } = this.#options;
    const now = clock.now();
    if (this.#asked === kept.chain && this.#askAt && now < this.#askAt) return;
    this.#asked = kept.chain;
    const renewalId = renewalIdOf(kept.chain);
    let askAgainMs: number = DAY;
    if (renewalId !== undefined) {
      try {
        const session = await open();
        const told = await askRenewalInfo(session, renewalId).finally(() => session.close());
        if (told) this.#suggest(kept, told.window);
        askAgainMs = told?.askAgainMs ?? DAY;
      } catch (error) {
        askAgainMs = Math.max(ASK_AGAIN_MS, error instanceof AcmeProblem ? (error.retryAfterMs ?? 0) : 0);
        log.info({ error: String(error) }, 'the authority does not say when the certificate is to be renewed');
      }
    }
    this.#askAt = after(now, askAgainMs);
  }

  /** One time for as long as the window stays: choosing anew at each look would draw it to the window's start. */
  #suggest({ chain }: Kept, window: { start: Date; end: Date; explanation: string | undefined }): void {
    const [start, end] = [window.start.getTime(), window.end.getTime()];
    const before = this.#suggested;
    if (before?.chain === chain && before.start === start && before.end === end) return;
    const at = timeWithin(window, (this.#options.chance ?? Math.random)());
    this.#suggested = { chain, start, end, at };
    this.#options.log.info({ at, explanation: window.explanation }, 'the authority suggests when the certificate is to be renewed');
  }
}
