// The present of a vendor: its clock's, or the moment at which something fell due while nobody looked.
import type { Clock } from '#platform/clock.ts';

export interface Present {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `work` as of another moment, in Unix milliseconds. */
  asOf<Value>(at: number, work: () => Value): Value;
}

export function presentOf(clock: Clock): Present {
  let moment: number | undefined;
  return {
    now: () => moment ?? clock.now().getTime(),
    asOf(at, work) {
      moment = at;
      try {
        return work();
      } finally {
        moment = undefined;
      }
    },
  };
}
