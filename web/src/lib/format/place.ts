// Places as lines carry them, in words.
import { t } from '#lib/text/index.ts';
import { numberLocale } from '#lib/text/language.ts';

const regions = new Intl.DisplayNames([numberLocale], { type: 'region' });
const pools: Readonly<Record<string, string>> = t.residential.pools;

/** A lower-case ISO 3166 code, `eu` or `any`; anything else as it is. */
export function placeName(code: string): string {
  if (pools[code] !== undefined) return pools[code];
  return /^[a-z]{2}$/.test(code) ? (regions.of(code.toUpperCase()) ?? code) : code;
}

/** A state or city as a username carries it: `new_york` as "New York". */
export const slugName = (slug: string): string => slug.replaceAll('_', ' ').replace(/(^|\s)\S/g, (letter) => letter.toUpperCase());
