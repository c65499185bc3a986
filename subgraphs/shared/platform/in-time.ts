/** No answer arrived in time. */
export class TooLate extends Error {}

/** Settles as `work` does, or rejects with TooLate after `limitMs` milliseconds; a later result is ignored. */
export function inTime<Answer>(work: Answer | Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const waiting = waitingFor(limitMs);
    // Lets pending input be read first: when this process was late itself, the answer may have arrived already.
    const over = waiting.add(() => void setImmediate(() => reject(new TooLate(`no answer within ${limitMs} ms`))));
    Promise.resolve(work).then(
      (answer) => {
        over();
        resolve(answer);
      },
      (error: unknown) => {
        over();
        reject(error);
      },
    );
  });
}

/** Those who wait for the same time share one timer, as they are late in the order in which they came: several wait for parts of nearly every request. */
class Waiting {
  readonly #limitMs: number;
  readonly #late = new Map<object, { late: () => void; at: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Calls `late` when the time is up; the returned function ends the wait. */
  add(late: () => void): () => void {
    const one = {};
    this.#late.set(one, { late, at: performance.now() + this.#limitMs });
    this.#timer ??= setTimeout(() => this.#look(), this.#limitMs);
    return () => {
      this.#late.delete(one);
      if (this.#late.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [one, { late, at }] of this.#late) {
      if (at > now) {
        this.#timer = setTimeout(() => this.#look(), Math.ceil(at - now));
        break;
      }
      this.#late.delete(one);
      late();
    }
  }
}

const byLimit = new Map<number, Waiting>();

function waitingFor(limitMs: number): Waiting {
  const known = byLimit.get(limitMs) ?? new Waiting(limitMs);
  byLimit.set(limitMs, known);
  return known;
}
