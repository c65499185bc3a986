// Choices of the form for generation that an owner keeps under a name.
import { because, fail } from '#platform/errors.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import type { Generation } from './generation.ts';

/** How the lines of a preset are written: host:port:username:password, username:password@host:port, or as URLs. */
export const LINE_FORMATS = ['HOST_FIRST', 'CREDENTIALS_FIRST', 'URL'] as const;
export type LineFormat = (typeof LINE_FORMATS)[number];

/** Presets of one account. */
export const PRESETS_MAX = 50;

export interface GenerationPreset {
  /** Unique in its account. */
  name: string;
  input: Generation;
  quantity: number;
  format: LineFormat;
  savedAt: Date;
}

const NAME = new RegExp(`^[^\\p{Cc}]{1,${TEXT_MAX.presetName}}$`, 'u');

/** The name without spaces around it. Throws `parameter_invalid`. */
export function checkPresetName(typed: string): string {
  const name = typed.trim();
  if (NAME.test(name)) return name;
  throw fail('parameter_invalid', { field: 'name', reason: because('name_length', { max: TEXT_MAX.presetName }) });
}
