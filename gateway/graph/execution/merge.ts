// Merges the answers of subgraphs in place: objects by field, lists of equal length by position; any other value is replaced by the newer one.
import { type Fields, isFields, newFields, setField } from './fields.ts';

/** Merges `source` into `target`. With `copy` the target shares no object with `source`; this is for an answer that is merged into several targets. */
export function merge(target: Fields, source: Fields, copy: boolean): void {
  for (const key of Object.keys(source)) mergeField(target, key, source[key], copy);
}

/** Merges one field; a value of undefined changes nothing. */
export function mergeField(target: Fields, key: string, value: unknown, copy: boolean): void {
  if (value === undefined) return;
  if (typeof value !== 'object' || value === null) return setField(target, key, value);
  const present = Object.hasOwn(target, key) ? target[key] : undefined;
  if (!mergeInto(present, value, copy)) setField(target, key, copy ? copyOf(value) : value);
}

/** Whether both are objects, or lists of equal length, so that the present one now has what the newer one says. */
function mergeInto(present: unknown, value: unknown, copy: boolean): boolean {
  if (isFields(value) && isFields(present)) merge(present, value, copy);
  else if (Array.isArray(value) && Array.isArray(present) && value.length === present.length) mergeLists(present, value, copy);
  else return false;
  return true;
}

function mergeLists(target: unknown[], source: unknown[], copy: boolean): void {
  for (let index = 0; index < source.length; index++) {
    const value = source[index];
    if (!mergeInto(target[index], value, copy)) target[index] = copy ? copyOf(value) : value;
  }
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isFields(value)) return value;
  const copy = newFields();
  for (const key of Object.keys(value)) copy[key] = copyOf(value[key]);
  return copy;
}
