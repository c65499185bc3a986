// Pools: every country of ISO 3166, Europe and Worldwide. Spec, GET /v1/residential/{product_id}/proxies: "A country name, or Worldwide, or Europe".
import { iso31661 } from 'iso-3166';
import { nearMatches } from '#platform/near-matches.ts';
import { countryNamed, nameKey } from './place-names.ts';

export interface Pool {
  /** As written in usernames: a lower-case ISO 3166 code, `eu` or `any`. */
  code: string;
  name: string;
  kind: 'WORLDWIDE' | 'REGION' | 'COUNTRY';
}

/** Spec is silent: `-country-any` and `-country-eu`, so that every line has the specification's pattern. */
const WORLDWIDE: Pool = { code: 'any', name: 'Worldwide', kind: 'WORLDWIDE' };
const EUROPE: Pool = { code: 'eu', name: 'Europe', kind: 'REGION' };

/** Spec is silent: the countries of Europe, as the United Nations list them, and Cyprus. */
export const EUROPEAN_COUNTRIES: readonly string[] =
  'ad al at ba be bg by ch cy cz de dk ee es fi fr gb gr hr hu ie is it li lt lu lv mc md me mk mt nl no pl pt ro rs ru se si sk sm ua va'.split(
    ' ',
  );

const regionNames = new Intl.DisplayNames('en', { type: 'region' });

const COUNTRIES: readonly Pool[] = iso31661
  .map(({ alpha2 }): Pool => ({ code: alpha2.toLowerCase(), name: regionNames.of(alpha2) ?? alpha2, kind: 'COUNTRY' }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const POOLS: readonly Pool[] = [WORLDWIDE, EUROPE, ...COUNTRIES];

/** English names in common use that neither Unicode nor ISO lists. */
const FURTHER_NAMES: Record<string, readonly string[]> = {
  cd: ['Democratic Republic of the Congo', 'DR Congo'],
  cg: ['Republic of the Congo'],
  ci: ['Ivory Coast'],
  cz: ['Czech Republic'],
  fk: ['Falklands'],
  gb: ['Great Britain'],
  hk: ['Hong Kong'],
  ir: ['Islamic Republic of Iran'],
  mk: ['Macedonia'],
  mm: ['Burma', 'Myanmar'],
  mo: ['Macau'],
  nl: ['Holland', 'The Netherlands'],
  ps: ['Palestine'],
  sz: ['Swaziland'],
  tl: ['East Timor'],
  tr: ['Turkey'],
  us: ['America'],
  va: ['Vatican'],
};

const byName = new Map<string, Pool>();
const byCode = new Map(COUNTRIES.map((pool) => [pool.code, pool]));
for (const pool of POOLS) byName.set(nameKey(pool.name), pool);
for (const name of ['Global', 'All countries']) byName.set(nameKey(name), WORLDWIDE);
for (const { alpha2, name } of iso31661) {
  const pool = byCode.get(alpha2.toLowerCase());
  for (const known of [name, ...(FURTHER_NAMES[alpha2.toLowerCase()] ?? [])])
    if (pool && !byName.has(nameKey(known))) byName.set(nameKey(known), pool);
}

/** Finds a pool by a country's name in any language or ISO 3166 alpha-2 code, in any letter case. Not by `any` and `eu`, which only usernames use. */
export const findPool = (typed: string): Pool | undefined =>
  (/^[a-z]{2}$/i.test(typed.trim()) ? byCode.get(typed.trim().toLowerCase()) : undefined) ??
  byName.get(nameKey(typed)) ??
  (nameKey(typed) === '' ? undefined : byCode.get(countryNamed(typed) ?? ''));

/**
 * Reads names that are separated by commas, each as `findPool` does. Names with a comma in them are one place: the longest one is taken first. `unknown`:
 * what is none.
 */
export function findPools(typed: string): { pools: readonly Pool[]; unknown?: string } {
  const words = typed.split(',').map((word) => word.trim());
  const pools: Pool[] = [];
  if (words.includes('')) return { pools, unknown: '' };
  while (words.length > 0) {
    let length = Math.min(words.length, MAX_COMMAS + 1);
    let pool: Pool | undefined;
    while (length > 0 && !(pool = findPool(words.slice(0, length).join(', ')))) length--;
    if (!pool) return { pools, unknown: words[0] as string };
    pools.push(pool);
    words.splice(0, length);
  }
  return { pools };
}
/** In the name of one country: "Bonaire, Sint Eustatius and Saba". */
const MAX_COMMAS = 2;

export const poolsLike = (typed: string): string[] => {
  // `any` and `eu`: suggest the name of that pool.
  const coded = POOLS.filter(({ code, kind }) => kind !== 'COUNTRY' && code === typed.toLowerCase()).map(({ name }) => name);
  if (coded.length > 0) return coded;
  return nearMatches(
    typed,
    POOLS.map(({ name }) => name),
  );
};
