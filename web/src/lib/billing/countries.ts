// The countries of ISO 3166, with their names from Intl in the page's language. A code of two letters for which Intl has no name is not a country.
import { language } from '#lib/text/language.ts';

const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** Codes that CLDR names although they are no countries: unions, regions for testing, the unknown region, and withdrawn codes. */
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
