// A fair queue for work of which only a few pieces run at once: a flood by one or by many strangers does not keep others waiting for long.
import { fail } from '#platform/errors.ts';

export interface Waiter {
  /** Whom the work is for: each has a queue, and the queues are served round robin. */
  who: string;
  /** Whether they have proved something (a session, a known device, a link by mail): strangers are not served before them. */
  proven: boolean;
}

export interface FairQueue {
  /** Runs `work` when it is next. Throws `too_many_attempts` when too many wait. */
  run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T>;
}

/** Of this many places that become free, one goes to a stranger, however many others wait. */
const STRANGERS_SHARE = 4;
const COME_BACK_SECONDS = 5;

interface Waiting {
  go(): void;
  refuse(): void;
}

/** One lane: a queue per `who`, served round robin. */
interface Lane {
  size: number;
  queues: Map<string, Waiting[]>;
}

/**
 * At most `concurrency` run, and `maxWaiting` wait in each of the two lanes. When a lane is full, whoever has most waiting loses the newest entry to somebody
 * who has fewer.
 */
export function createFairQueue({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): FairQueue {
  const lanes = { proven: { size: 0, queues: new Map() } as Lane, strangers: { size: 0, queues: new Map() } as Lane };
  let running = 0;
  let given = 0;

  function shift(lane: Lane): Waiting | undefined {
    const [first] = lane.queues;
    if (!first) return undefined;
    const [who, queue] = first;
    const next = queue.shift();
    lane.queues.delete(who);
    if (queue.length > 0) lane.queues.set(who, queue);
    lane.size--;
    return next;
  }

  /** Whether the lane has room, which is made if necessary. */
  function makeRoom(lane: Lane, who: string): boolean {
    if (lane.size < maxWaiting) return true;
    const [longest, queue] = [...lane.queues].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    if (longest === who || queue.length <= (lane.queues.get(who)?.length ?? 0) + 1) return false;
    queue.pop()?.refuse();
    lane.size--;
    return true;
  }

  const tooMany = () => fail('too_many_attempts', { retry_after_seconds: COME_BACK_SECONDS });

  function wait({ who, proven }: Waiter): Promise<void> {
    const lane = proven ? lanes.proven : lanes.strangers;
    if (!makeRoom(lane, who)) throw tooMany();
    return new Promise((go, refuse) => {
      const queue = lane.queues.get(who) ?? [];
      queue.push({ go, refuse: () => refuse(tooMany()) });
      lane.queues.set(who, queue);
      lane.size++;
    });
  }

  function pass(): void {
    const order = ++given % STRANGERS_SHARE === 0 ? [lanes.strangers, lanes.proven] : [lanes.proven, lanes.strangers];
    const next = shift(order[0] as Lane) ?? shift(order[1] as Lane);
    if (next) next.go();
    else running--;
  }

  return {
    async run(waiter, work) {
      if (running >= concurrency) await wait(waiter);
      else running++;
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}
