// States and other subdivisions of countries, from ISO 3166-2.
import { iso31662 } from 'iso-3166';
import { nearMatches } from '#platform/near-matches.ts';
import { englishName } from './place-names.ts';
import { toSlug } from '#platform/slug.ts';

export interface State {
  /** ISO 3166-2, for example US-NY. */
  iso: string;
  /** As written in usernames, for example new_york. */
  code: string;
  name: string;
}

/** English names. ISO 3166-2 has local names, and Japan's in an uncommon romanisation. */
const ENGLISH_NAMES: Record<string, string> = {
  'DE-BY': 'Bavaria',
  'DE-HE': 'Hesse',
  'DE-NI': 'Lower Saxony',
  'DE-NW': 'North Rhine-Westphalia',
  'DE-RP': 'Rhineland-Palatinate',
  'DE-SN': 'Saxony',
  'DE-ST': 'Saxony-Anhalt',
  'DE-TH': 'Thuringia',
  'DE-MV': 'Mecklenburg-Western Pomerania',
  'ES-AN': 'Andalusia',
  'ES-AR': 'Aragon',
  'ES-AS': 'Asturias',
  'ES-CN': 'Canary Islands',
  'ES-CT': 'Catalonia',
  'ES-IB': 'Balearic Islands',
  'ES-MC': 'Murcia',
  'ES-MD': 'Madrid',
  'ES-NC': 'Navarre',
  'ES-PV': 'Basque Country',
  'ES-VC': 'Valencian Community',
  'FR-20R': 'Corsica',
  'FR-BRE': 'Brittany',
  'FR-NOR': 'Normandy',
  'FR-IDF': 'Ile-de-France',
  'IT-21': 'Piedmont',
  'IT-23': 'Aosta Valley',
  'IT-25': 'Lombardy',
  'IT-52': 'Tuscany',
  'IT-62': 'Lazio',
  'IT-75': 'Apulia',
  'IT-82': 'Sicily',
  'IT-88': 'Sardinia',
  'NL-FR': 'Friesland',
  'NL-NB': 'North Brabant',
  'NL-NH': 'North Holland',
  'NL-ZH': 'South Holland',
  'NL-ZE': 'Zeeland',
  'PL-02': 'Lower Silesia',
  'PL-10': 'Lodz',
  'PL-12': 'Lesser Poland',
  'PL-14': 'Masovia',
  'PL-22': 'Pomerania',
  'PL-24': 'Silesia',
  'PL-30': 'Greater Poland',
  'JP-07': 'Fukushima',
  'JP-09': 'Tochigi',
  'JP-12': 'Chiba',
  'JP-17': 'Ishikawa',
  'JP-18': 'Fukui',
  'JP-19': 'Yamanashi',
  'JP-21': 'Gifu',
  'JP-22': 'Shizuoka',
  'JP-23': 'Aichi',
  'JP-25': 'Shiga',
  'JP-28': 'Hyogo',
  'JP-32': 'Shimane',
  'JP-34': 'Hiroshima',
  'JP-35': 'Yamaguchi',
  'JP-36': 'Tokushima',
  'JP-39': 'Kochi',
  'JP-40': 'Fukuoka',
  'JP-46': 'Kagoshima',
  'MX-CMX': 'Mexico City',
  'MX-COA': 'Coahuila',
  'MX-MIC': 'Michoacan',
  'MX-VER': 'Veracruz',
};

interface Country {
  /** By name. */
  states: State[];
  /** By slugs of the English name and the ISO name, and of the ISO code with and without the country. */
  keys: Map<string, State>;
}

const countries = new Map<string, Country>();
/** Subdivisions of one country may share a name: the one directly below the country comes first and gets it. */
for (const { code: iso, name } of [...iso31662].sort((a, b) => a.parent.length - b.parent.length)) {
  const country = iso.slice(0, 2).toLowerCase();
  const known: Country = countries.get(country) ?? { states: [], keys: new Map() };
  countries.set(country, known);
  const state: State = { iso, code: toSlug(ENGLISH_NAMES[iso] ?? name), name: ENGLISH_NAMES[iso] ?? name };
  if (state.code === '' || known.keys.get(state.code)?.code === state.code) continue;
  known.states.push(state);
  known.keys.set(state.code, state);
  for (const key of [toSlug(name), toSlug(iso), toSlug(iso.slice(3))]) if (!known.keys.has(key)) known.keys.set(key, state);
}
for (const { states } of countries.values()) states.sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Sorted by name; empty for Europe, Worldwide and countries without subdivisions. */
export const statesOf = (country: string): readonly State[] => countries.get(country)?.states ?? [];

/** Countries for which Unicode's English names have been added to the keys. */
const named = new Set<string>();

/** Finds a state by English name, name in ISO 3166-2, or code (`NY`, `US-NY`), in any letter case. */
export function findState(country: string, typed: string): State | undefined {
  const known = countries.get(country);
  if (!known) return undefined;
  const found = known.keys.get(toSlug(typed));
  if (found || named.has(country)) return found;
  named.add(country);
  for (const state of known.states) {
    const key = toSlug(englishName(state.iso) ?? '');
    if (key !== '' && !known.keys.has(key)) known.keys.set(key, state);
  }
  return known.keys.get(toSlug(typed));
}

/** Similar names, in English where Unicode has one. */
export const statesLike = (country: string, typed: string): string[] =>
  nearMatches(typed, [...new Set(statesOf(country).flatMap(({ name, iso }) => [name, englishName(iso) ?? name]))]);
