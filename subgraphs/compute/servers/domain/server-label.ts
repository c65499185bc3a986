// What an owner writes on a server: a name, and labels for finding it.
import { type Reason, because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** Spec is silent: as many as fit on a screen. */
export const LABELS_MAX = 20;
const KEY = /^[A-Za-z0-9]([A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;
const NAME = new RegExp(`^[^\\p{Cc}]{1,${TEXT_MAX.serverName}}$`, 'u');

export interface ServerLabel {
  key: string;
  value: string;
}

/** Throws `parameter_invalid`. */
export function checkLabels(labels: readonly ServerLabel[]): Record<string, string> {
  const wrong = (reason: Reason) => fail('parameter_invalid', { field: 'labels', reason });
  if (labels.length > LABELS_MAX) throw wrong(because('labels_too_many', { max: LABELS_MAX }));
  const checked = new Map<string, string>();
  for (const { key, value } of labels) {
    if (!KEY.test(key)) throw wrong(because('label_unfit'));
    if (!VALUE.test(value)) throw wrong(because('label_value_unfit', { label: key }));
    if (checked.has(key)) throw wrong(because('label_repeated', { label: key }));
    checked.set(key, value);
  }
  return Object.fromEntries(checked);
}

/** The name as it is stored; null removes it, so that the host name is shown. Throws `parameter_invalid`. */
export function checkServerName(name: string | null): string | null {
  const trimmed = name?.trim() || null;
  if (trimmed !== null && !NAME.test(trimmed)) throw fail('parameter_invalid', { field: 'name', reason: because('server_name_too_long') });
  return trimmed;
}
