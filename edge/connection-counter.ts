// How many connections plans and addresses have open on a whole node, whose workers share no memory but this. Each worker writes its own row, so that
// the row of one that died is wiped and nothing of it is left behind.
import { hash } from 'node:crypto';
import { fail } from '#platform/errors.ts';

export interface ConnectionCounter {
  /** False: there are `limit` already, and nobody was let in. */
  enter(key: string, limit: number): boolean;
  leave(key: string): void;
}

/** What connections are counted for on one worker: a plan, or a static address. */
export interface Counted {
  connections: number;
}

/**
 * Counts one more, on this worker and on the whole node. Throws `connections_exhausted`, and counts nothing, where there are `limit` already. Returns
 * how to leave: once, whoever says it how often.
 */
export function enter(counted: Counted, key: string, limit: number, counter: ConnectionCounter | undefined): () => void {
  if (counted.connections >= limit || counter?.enter(key, limit) === false) throw fail('connections_exhausted');
  counted.connections++;
  let inside = true;
  return () => {
    if (!inside) return;
    inside = false;
    counted.connections--;
    counter?.leave(key);
  };
}

/** Keys are never forgotten: so many plans and addresses a node can tell apart until it is started again, and then it limits by worker alone. */
const SLOTS = 262_144;

/** Memory for this many workers: a row of keys, then a row of counts for each. */
export const counterMemory = (workers: number): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * 4 * (workers + 1));

/** Not zero, which is an empty slot. */
const keyOf = (text: string): number => hash('sha1', text, 'buffer').readInt32LE(0) || 1;

const rowOf = (memory: SharedArrayBuffer, row: number): Int32Array => new Int32Array(memory, SLOTS * 4 * row, SLOTS);

/** After its worker has died. */
export const wipeWorker = (memory: SharedArrayBuffer, worker: number): void => void rowOf(memory, worker + 1).fill(0);

export function createConnectionCounter(memory: SharedArrayBuffer, worker: number): ConnectionCounter {
  const keys = rowOf(memory, 0);
  const own = rowOf(memory, worker + 1);
  const rows = Array.from({ length: memory.byteLength / (SLOTS * 4) - 1 }, (_, index) => rowOf(memory, index + 1));

  /** Undefined: the table is full. */
  function slotOf(text: string): number | undefined {
    const key = keyOf(text);
    for (let step = 0; step < SLOTS; step++) {
      const slot = ((key >>> 0) + step) % SLOTS;
      const known = Atomics.compareExchange(keys, slot, 0, key);
      if (known === 0 || known === key) return slot;
    }
    return undefined;
  }

  return {
    enter(text, limit) {
      const slot = slotOf(text);
      if (slot === undefined) return true;
      // First in, then counted: of two who come for the last place at once neither overlooks the other.
      Atomics.add(own, slot, 1);
      let inside = 0;
      for (const row of rows) inside += Atomics.load(row, slot);
      if (inside <= limit) return true;
      Atomics.sub(own, slot, 1);
      return false;
    },
    leave(text) {
      const slot = slotOf(text);
      if (slot !== undefined) Atomics.sub(own, slot, 1);
    },
  };
}
