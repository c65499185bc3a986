// What an owner writes on a server: a name, and labels to find it by.
import { fail } from '#platform/errors.ts';

/** Spec is silent: as many as fit on a screen. */
export const LABELS_MAX = 20;
const KEY = /^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
const NAME = /^[^\p{Cc}]{1,64}$/u;

export interface ServerLabel {
  key: string;
  value: string;
}

/** Throws `parameter_invalid`. */
export function checkLabels(labels: readonly ServerLabel[]): Record<string, string> {
  const wrong = (reason: string) => fail('parameter_invalid', { field: 'labels', reason });
  if (labels.length > LABELS_MAX) throw wrong(`A server has up to ${LABELS_MAX} labels.`);
  const checked = new Map<string, string>();
  for (const { key, value } of labels) {
    if (!KEY.test(key))
      throw wrong(
        'A label begins and ends with a letter or digit and has up to 63 letters, digits, dots, hyphens, underscores and slashes.',
      );
    if (!VALUE.test(value)) throw wrong(`The value of ${key} has up to 63 letters, digits, dots, hyphens and underscores.`);
    if (checked.has(key)) throw wrong(`The label ${key} stands there twice.`);
    checked.set(key, value);
  }
  return Object.fromEntries(checked);
}

/** Null takes the name away: the host name is shown again. Throws `parameter_invalid`. */
export function checkServerName(name: string | null): string | null {
  const trimmed = name?.trim() || null;
  if (trimmed !== null && !NAME.test(trimmed))
    throw fail('parameter_invalid', { field: 'name', reason: 'A name has up to 64 characters.' });
  return trimmed;
}
