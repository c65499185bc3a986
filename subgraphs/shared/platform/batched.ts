// One statement for what the rows of a list ask for one by one.
import DataLoader from 'dataloader';
import type { EntityManager } from './database.ts';

/**
 * What `load` gives for each key, in their order, asked for together by all that ask within the same turn and entity manager. Nothing is kept: a live list asks
 * again.
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

/** Rows by what they belong to, in the order of `keys`, each list in the order in which its rows come. */
export function grouped<Row>(rows: readonly Row[], keys: readonly string[], keyOf: (row: Row) => string | null | undefined): Row[][] {
  const groups = Map.groupBy(rows, keyOf);
  return keys.map((key) => groups.get(key) ?? []);
}
