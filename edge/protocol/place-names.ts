// Names of countries in all languages and of their parts in English, from packages: `i18n-iso-countries` (MIT) and Unicode's `cldr-subdivisions-full`.
// Read when somebody first types a name that English and ISO do not have.
import { readFileSync, readdirSync } from 'node:fs';
import { toSlug } from '#platform/slug.ts';

const packaged = (path: string): URL => new URL(import.meta.resolve(path));
const parsed = <Shape>(url: URL): Shape => JSON.parse(readFileSync(url, 'utf8')) as Shape;

/** Names in scripts that a slug has no letters of are compared as they are. */
export const nameKey = (name: string): string => toSlug(name).replace(/^st_/, 'saint_') || name.trim().normalize('NFC').toLowerCase();

let countries: Map<string, string> | undefined;

/** Lower-case ISO 3166 by a name in any language; undefined also where languages mean different countries by it. */
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

/** What English says for a part of a country, by its code of ISO 3166-2; undefined where Unicode has no word. */
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
