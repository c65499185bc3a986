// Names of the places that proxy lines contain as codes.
import { formatList } from './list.ts';
import { t } from '#lib/text/index.ts';
import { numberLocale } from '#lib/text/language.ts';

const regions = new Intl.DisplayNames([numberLocale], { type: 'region' });
const pools: Readonly<Record<string, string>> = t.residential.pools;

/** The name of a lower-case ISO 3166 code, `eu` or `any`, or the names of several that are joined by `_`; any other text is returned unchanged. */
export function placeName(code: string): string {
  if (/^[a-z]{2}(_[a-z]{2})+$/.test(code)) return formatList(code.split('_').map(placeName));
  if (pools[code] !== undefined) return pools[code];
  return /^[a-z]{2}$/.test(code) ? (regions.of(code.toUpperCase()) ?? code) : code;
}

/** The name of a state or city in a proxy username: `new_york` becomes "New York". */
export const slugName = (slug: string): string => slug.replaceAll('_', ' ').replace(/(^|\s)\S/g, (letter) => letter.toUpperCase());
