import { expect, test } from 'vitest';
import { citiesOf } from '../../../edge/protocol/cities.ts';
import { CITY_ALIASES } from '../../../edge/protocol/city-aliases.ts';
import { citiesLike, findCity } from '../../../edge/protocol/city-table.ts';
import { findPool } from '../../../edge/protocol/pools.ts';
import { findState, statesLike } from '../../../edge/protocol/states.ts';

test.each([
  ['UK', 'gb'],
  ['USA', 'us'],
  ['UAE', 'ae'],
  ['America', 'us'],
  ['Deutschland', 'de'],
  ['Allemagne', 'de'],
  ['Россия', 'ru'],
  ['日本', 'jp'],
  ['Niger', 'ne'],
  ['Global', 'any'],
])('the pool %s is %s', (typed, code) => {
  expect(findPool(typed)?.code).toBe(code);
});

test.each([
  ['de', 'München', 'munich'],
  ['de', 'Köln', 'cologne'],
  ['de', 'Frankfurt am Main', 'frankfurt'],
  ['at', 'Wien', 'vienna'],
  ['nl', 'Den Haag', 'the_hague'],
  ['th', 'Bangkok', 'bangkok'],
  ['kr', 'Seoul', 'seoul'],
  ['sg', 'Singapore', 'singapore'],
  ['us', 'New York', 'new_york_city'],
  ['us', 'St. Louis', 'saint_louis'],
  ['us', 'Washington', 'washington'],
  ['tr', 'Istanbul', 'istanbul'],
])('in %s the city %s is %s', (country, typed, code) => {
  expect(findCity(country, typed)?.code).toBe(code);
});

test('a city is looked up in the given state, and unknown names are not found', () => {
  expect(findCity('us', 'Vienna', 'US-VA')?.state).toBe('US-VA');
  expect(findCity('us', 'Miami', 'US-NY')).toBeUndefined();
  expect(findCity('de', 'Atlantis')).toBeUndefined();
  expect(findCity('xx', 'Berlin')).toBeUndefined();
  expect(citiesLike('de', 'Munchn')).toContain('Munich');
  expect(citiesLike('us', 'New Yrok')).toContain('New York City');
});

test('every city that was sold before keeps its code, and every alias leads to a city', () => {
  for (const country of ['de', 'us', 'gb', 'jp'])
    for (const { name, code, state } of citiesOf(country)) expect(findCity(country, name, state)?.code).toBe(code);
  for (const [country, names] of Object.entries(CITY_ALIASES))
    for (const [alias, name] of Object.entries(names))
      expect([alias, findCity(country, alias)?.code]).toEqual([alias, findCity(country, name)?.code]);
});

test.each([
  ['kr', 'Seoul', 'KR-11'],
  ['th', 'Bangkok', 'TH-10'],
  ['at', 'Vienna', 'AT-9'],
  ['cn', 'Guangdong', 'CN-GD'],
  ['be', 'Flanders', 'BE-VLG'],
])('in %s the state %s is %s', (country, typed, iso) => {
  expect(findState(country, typed)?.iso).toBe(iso);
  expect(statesLike(country, typed.slice(0, -1))).toContain(typed);
});
