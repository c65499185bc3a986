// The countries by ISO 3166, named by Intl: the browser knows every one in the page's language. Codes of two letters that it has no name for are none.
import { language } from '#lib/text/language.ts';

const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Named by CLDR, yet no country: unions, testing regions, the unknown one, and codes that were given up. */
const NONE = new Set([
  'EU',
  'EZ',
  'UN',
  'QO',
  'XA',
  'XB',
  'ZZ',
  'AN',
  'BU',
  'CS',
  'DD',
  'DY',
  'FX',
  'HV',
  'NH',
  'NT',
  'RH',
  'SU',
  'TP',
  'UK',
  'VD',
  'YD',
  'YU',
  'ZR',
]);

export const countries = (): { value: string; label: string }[] =>
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .flatMap((value) => {
      const label = NONE.has(value) ? undefined : names.of(value);
      return label && label !== value ? [{ value, label }] : [];
    })
    .toSorted((a, b) => a.label.localeCompare(b.label));

export const countryName = (code: string): string => names.of(code) ?? code;
