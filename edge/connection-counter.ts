// Counts the open connections of plans and addresses on a whole node, in memory that its workers share. Each worker writes its own row, so that the
// row of a dead worker can be cleared.
import { hash } from 'node:crypto';
import { fail } from '#platform/errors.ts';

export interface ConnectionCounter {
  /** False: the limit is reached, and nothing was counted. */
  enter(key: string, limit: number): boolean;
  leave(key: string): void;
}

/** What connections are counted for on one worker: a plan or a static address. */
export interface Counted {
  connections: number;
}

/**
 * Counts one more connection, on this worker and on the whole node. Throws `connections_exhausted` and counts nothing when there are `limit` already.
 * Returns a function that ends it; calling it again does nothing.
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

/** How many plans and addresses can be counted. Slots are never freed until the node restarts; when all are taken, new keys are limited per worker only. */
const SLOTS = 262_144;

/** Memory for this many workers: a row of keys, then one row of counts per worker. */
export const counterMemory = (workers: number): SharedArrayBuffer => new SharedArrayBuffer(SLOTS * 4 * (workers + 1));

/** Never zero, which marks an empty slot. */
const keyOf = (text: string): number => hash('sha1', text, 'buffer').readInt32LE(0) || 1;

const rowOf = (memory: SharedArrayBuffer, row: number): Int32Array => new Int32Array(memory, SLOTS * 4 * row, SLOTS);

/** Clears the row of a worker that has died. */
export const wipeWorker = (memory: SharedArrayBuffer, worker: number): void => void rowOf(memory, worker + 1).fill(0);

export function createConnectionCounter(memory: SharedArrayBuffer, worker: number): ConnectionCounter {
  const keys = rowOf(memory, 0);
  const own = rowOf(memory, worker + 1);
  const rows = Array.from({ length: memory.byteLength / (SLOTS * 4) - 1 }, (_, index) => rowOf(memory, index + 1));

  /** Finds or takes the slot of a key. Undefined: the table is full. */
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
      // Add first, then check the sum: two workers that compete for the last place both see each other's entry.
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
