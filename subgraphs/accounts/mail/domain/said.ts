import { type Language, sentenceIn } from '#platform/language.ts';
import type { Reason } from '#platform/errors.ts';

/** A reason in a mail: either a code, whose sentence comes from the dictionary of each language, or somebody's own words, which are not translated. */
export type Said = Reason | string;

/** A reason as a sentence; a full stop is added where it has none. */
export function sayIn(language: Language, said: Said): string {
  const words = typeof said === 'string' ? said : sentenceIn(language, said);
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
