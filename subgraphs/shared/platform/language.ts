// The languages in which customers are addressed, and the sentence of a reason in each, from the dictionaries that the pages use too.
import { byReason as germanReasons } from '../../../schema/codes/de/reasons.ts';
import { REASONS, type Sentences } from '../../../schema/codes/catalogue.ts';
import { say } from '../../../schema/codes/sentence.ts';
import { LANGUAGES, type Language } from '../../../schema/languages.ts';
import type { Reason } from './errors.ts';

export type { Language };

/** The language codes; the first one is the default. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

const REASONS_IN: Readonly<Record<Language, Sentences>> = { en: REASONS, de: germanReasons };

/** The locale for writing numbers. */
const NUMBERS: Readonly<Record<Language, string>> = { en: 'en-US', de: 'de-DE' };

/** The sentence of a reason in a language. */
export const sentenceIn = (language: Language, { code, params }: Reason): string =>
  say(REASONS_IN[language][code], params, NUMBERS[language]);

/** How much of a header is read: browsers name a handful of languages. */
const MAX_CHARACTERS = 256;

/**
 * The language that a request asks for: the one that its reader chose (the cookie `language`), or the known one that its `Accept-Language` prefers (RFC 9110,
 * 12.5.4). Undefined: neither names a known one.
 */
export function languageOf(headers: { cookie?: string | undefined; 'accept-language'?: string | undefined }): Language | undefined {
  if (headers.cookie === undefined && headers['accept-language'] === undefined) return undefined;
  const chosen = /(?:^|;\s*)language=(\w+)/.exec(headers.cookie ?? '')?.[1];
  const known = (word: string | undefined) => LANGUAGE_CODES.find((code) => code === word);
  if (known(chosen)) return known(chosen);
  const wanted = (headers['accept-language'] ?? '')
    .slice(0, MAX_CHARACTERS)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/;\s*q=/);
      return { language: tag.slice(0, 2).toLowerCase(), quality: quality === undefined ? 1 : Number(quality) };
    })
    .toSorted((one, other) => other.quality - one.quality);
  return wanted.map(({ language }) => known(language)).find(Boolean);
}
