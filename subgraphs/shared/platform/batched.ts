// Batches the reads that the rows of a list ask for one by one into one statement.
import DataLoader from 'dataloader';
import type { EntityManager } from './database.ts';

/**
 * `load` returns a value for each key, in the order of the keys. It is called once for all keys that are asked for in the same turn with the same entity
 * manager. Nothing is cached: a live list reads again.
 */
export function batched<Value>(
  load: (em: EntityManager, keys: readonly string[]) => Promise<Value[]>,
): (em: EntityManager, key: string) => Promise<Value> {
  const loaders = new WeakMap<EntityManager, DataLoader<string, Value>>();
  return (em, key) => {
    const known = loaders.get(em);
    if (known) return known.load(key);
    const loader = new DataLoader<string, Value>((keys) => load(em, keys), { cache: false });
    loaders.set(em, loader);
    return loader.load(key);
  };
}

/** Groups rows by key, one group per entry of `keys` and in their order. Rows keep their order in a group. */
export function grouped<Row>(rows: readonly Row[], keys: readonly string[], keyOf: (row: Row) => string | null | undefined): Row[][] {
  const groups = Map.groupBy(rows, keyOf);
  return keys.map((key) => groups.get(key) ?? []);
}
