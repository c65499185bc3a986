// Merges what subgraphs answer, in place: objects by field, lists of equal length by position, the rest by the newer value.

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose keys can be any name that a schema allows, `__proto__` and `constructor` too. */
export const newFields = (): Fields => Object.create(null) as Fields;

/** Merges `source` into `target`. With `copy` nothing of `source` is shared, for an answer that belongs in several places. */
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
