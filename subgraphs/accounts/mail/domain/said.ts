import { type Language, sentenceIn } from '#platform/language.ts';
import type { Reason } from '#platform/errors.ts';

/** Why, in a mail: a reason, which each language says by its dictionary, or somebody's own words, which stand as they are. */
export type Said = Reason | string;

/** As a sentence: words that end without a stop get one. */
export function sayIn(language: Language, said: Said): string {
  const words = typeof said === 'string' ? said : sentenceIn(language, said);
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
