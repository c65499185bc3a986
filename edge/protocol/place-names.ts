// Names of countries in all languages, from the package `i18n-iso-countries` (MIT), and English names of their subdivisions, from Unicode's
// `cldr-subdivisions-full`. Read on first use.
import { readFileSync, readdirSync } from 'node:fs';
import { toSlug } from '#platform/slug.ts';

const packaged = (path: string): URL => new URL(import.meta.resolve(path));
const parsed = <Shape>(url: URL): Shape => JSON.parse(readFileSync(url, 'utf8')) as Shape;

/** The slug of a name, or the name itself in scripts that a slug cannot represent. */
export const nameKey = (name: string): string => toSlug(name).replace(/^st_/, 'saint_') || name.trim().normalize('NFC').toLowerCase();

let countries: Map<string, string> | undefined;

/** The lower-case ISO 3166 code for a name in any language; undefined also when languages use the name for different countries. */
export function countryNamed(typed: string): string | undefined {
  countries ??= readCountries();
  return countries.get(nameKey(typed)) || undefined;
}

function readCountries(): Map<string, string> {
  const names = new Map<string, string>();
  const folder = packaged('i18n-iso-countries/langs/en.json');
  for (const file of readdirSync(new URL('.', folder))) {
    const { countries: inLanguage } = parsed<{ countries: Record<string, string | string[]> }>(new URL(file, folder));
    for (const [code, known] of Object.entries(inLanguage))
      for (const name of [known].flat()) {
        const key = nameKey(name);
        const before = names.get(key);
        if (key !== '') names.set(key, before === undefined || before === code.toLowerCase() ? code.toLowerCase() : '');
      }
  }
  return names;
}

let states: Map<string, string> | undefined;

/** The English name of a subdivision by its ISO 3166-2 code; undefined where Unicode has none. */
export function englishName(iso: string): string | undefined {
  states ??= new Map(
    Object.entries(
      parsed<{ subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } } }>(
        packaged('cldr-subdivisions-full/subdivisions/en/en.json'),
      ).subdivisions.localeDisplayNames.subdivisions,
    ),
  );
  return states.get(iso.replace('-', '').toLowerCase());
}
