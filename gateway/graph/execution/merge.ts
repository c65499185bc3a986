// Merges the answers of subgraphs in place: objects by field, lists of equal length by position; any other value is replaced by the newer one.

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without a prototype, whose keys can be any name that a schema allows, also `__proto__` and `constructor`. */
export const newFields = (): Fields => Object.create(null) as Fields;

/** Merges `source` into `target`. With `copy` the target shares no object with `source`; this is for an answer that is merged into several targets. */
export function merge(target: Fields, source: Fields, copy: boolean): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const present = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isFields(value) && isFields(present)) merge(present, value, copy);
    else if (Array.isArray(value) && Array.isArray(present) && value.length === present.length) mergeLists(present, value, copy);
    else target[key] = copy ? copyOf(value) : value;
  }
}

function mergeLists(target: unknown[], source: unknown[], copy: boolean): void {
  for (let index = 0; index < source.length; index++) {
    const value = source[index];
    const present = target[index];
    if (isFields(value) && isFields(present)) merge(present, value, copy);
    else if (Array.isArray(value) && Array.isArray(present) && value.length === present.length) mergeLists(present, value, copy);
    else target[index] = copy ? copyOf(value) : value;
  }
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isFields(value)) return value;
  const copy = newFields();
  for (const key of Object.keys(value)) copy[key] = copyOf(value[key]);
  return copy;
}
