// A vendor's present time: that of its clock, or the time at which something fell due.
import type { Clock } from '#platform/clock.ts';

export interface Present {
  /** Unix milliseconds. */
  now(): number;
  /** Runs `work` as of another time, in Unix milliseconds. */
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
