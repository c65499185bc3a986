import { describe, expect, test } from 'vitest';
import { Failure } from '#platform/errors.ts';
import { EUROPEAN_COUNTRIES, POOLS } from '../../../../../edge/protocol/pools.ts';
import { targetPart } from '../../../../../edge/protocol/line-username.ts';
import { statesOf } from '../../../../../edge/protocol/states.ts';
import { citiesOf } from '../../../../../edge/protocol/cities.ts';
import { type TargetingInput, toTarget } from '../../../../../subgraphs/residential/generation/domain/targeting.ts';

const suffix = (input: TargetingInput) => targetPart('base', toTarget(input)).slice('base'.length);

function refusal(input: TargetingInput): Failure {
  try {
    toTarget(input);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test.each<[TargetingInput, string]>([
  [{ pool: 'Worldwide' }, '-country-any'],
  [{ pool: 'WORLDWIDE' }, '-country-any'],
  [{ pool: 'europe' }, '-country-eu'],
  [{ pool: 'Germany' }, '-country-de'],
  [{ pool: 'gERMANY' }, '-country-de'],
  [{ pool: 'de' }, '-country-de'],
  [{ pool: 'DE' }, '-country-de'],
  [{ pool: 'United States' }, '-country-us'],
  [{ pool: 'United States of America' }, '-country-us'],
  [{ pool: 'south_korea' }, '-country-kr'],
  [{ pool: "Cote d'Ivoire" }, '-country-ci'],
  [{ pool: 'Antigua and Barbuda' }, '-country-ag'],
  [{ pool: 'Saint Lucia' }, '-country-lc'],
  [{ pool: 'Turkey' }, '-country-tr'],
  [{ pool: 'Czech Republic' }, '-country-cz'],
  [{ pool: 'Hong Kong' }, '-country-hk'],
  [{ pool: 'US', state: 'New York', city: 'New York City' }, '-country-us-state-new_york-city-new_york_city'],
  [{ pool: 'US', state: 'NEW-YORK' }, '-country-us-state-new_york'],
  [{ pool: 'US', state: 'NY' }, '-country-us-state-new_york'],
  [{ pool: 'US', state: 'US-NY' }, '-country-us-state-new_york'],
  [{ pool: 'US', city: 'Los Angeles' }, '-country-us-city-los_angeles'],
  [{ pool: 'Germany', state: 'Bayern' }, '-country-de-state-bavaria'],
  [{ pool: 'Germany', state: 'Bavaria', city: 'munich' }, '-country-de-state-bavaria-city-munich'],
  [{ pool: 'Brazil', state: 'São Paulo', city: 'são paulo' }, '-country-br-state-sao_paulo-city-sao_paulo'],
  [{ pool: 'France', state: 'Ain', city: null }, '-country-fr-state-ain'],
  [{ pool: 'Germany, France' }, '-country-de_fr'],
  [{ pool: ' fr,DE ' }, '-country-de_fr'],
  [{ pool: 'Bonaire, Sint Eustatius and Saba' }, '-country-bq'],
  [{ pool: 'Italy, Bonaire, Sint Eustatius and Saba, Germany' }, '-country-bq_de_it'],
  [{ pool: 'Worldwide', exclude: 'France' }, '-country-any-not-fr'],
  [{ pool: 'Europe', exclude: 'UK, fr' }, '-country-eu-not-fr_gb'],
  [{ pool: 'Germany, France', exclude: 'US' }, '-country-de_fr'],
  [{ pool: 'Germany', exclude: null }, '-country-de'],
])('%j is carried as %s', (input, expected) => {
  expect(suffix(input)).toBe(expected);
});

test.each<[TargetingInput, string, string, string[] | undefined]>([
  [{ pool: '' }, 'pool_unknown', 'pool', []],
  [{ pool: 'Germny' }, 'pool_unknown', 'pool', ['Germany']],
  [{ pool: 'World' }, 'pool_unknown', 'pool', ['Worldwide']],
  [{ pool: 'any' }, 'pool_unknown', 'pool', undefined],
  [{ pool: 'EU' }, 'pool_unknown', 'pool', ['Europe']],
  [{ pool: 'XX' }, 'pool_unknown', 'pool', undefined],
  [{ pool: 'US;drop' }, 'pool_unknown', 'pool', undefined],
  [{ pool: 'Worldwide', state: 'New York' }, 'targeting_needs_country', 'state', undefined],
  [{ pool: 'Europe', city: 'Berlin' }, 'targeting_needs_country', 'city', undefined],
  [{ pool: 'US', state: '' }, 'state_unknown', 'state', []],
  [{ pool: 'US', state: 'New Yrok' }, 'state_unknown', 'state', ['New York']],
  [{ pool: 'US', state: 'Bavaria' }, 'state_unknown', 'state', undefined],
  [{ pool: 'US', city: 'San' }, 'city_unknown', 'city', ['San Antonio', 'San Diego', 'San Francisco', 'San Jose', 'San Andreas']],
  [{ pool: 'US', city: 'Los Angelas' }, 'city_unknown', 'city', ['Los Angeles']],
  [{ pool: 'US', state: 'Hawaii', city: 'Miami' }, 'city_unknown', 'city', []],
  [{ pool: 'Germany, Frnace' }, 'pool_unknown', 'pool', ['France']],
  [{ pool: 'Germany,' }, 'pool_unknown', 'pool', []],
  [{ pool: 'Worldwide', exclude: 'Germny' }, 'pool_unknown', 'exclude', ['Germany']],
  [{ pool: 'Worldwide', exclude: '' }, 'pool_unknown', 'exclude', []],
  [{ pool: 'Germany, Europe' }, 'parameter_invalid', 'pool', undefined],
  [{ pool: 'Germany, DE' }, 'parameter_invalid', 'pool', undefined],
  [{ pool: 'Germany', exclude: 'Germany' }, 'parameter_invalid', 'exclude', undefined],
  [{ pool: 'Worldwide', exclude: 'Europe' }, 'parameter_invalid', 'exclude', undefined],
  [{ pool: 'Germany, France', city: 'Berlin' }, 'targeting_needs_country', 'city', undefined],
  [{ pool: 'Tuvalu', city: 'Xyzzyx' }, 'city_unknown', 'city', []],
])('%j is refused as %s', (input, code, field, allowed) => {
  const failure = refusal(input);
  expect(failure.code).toBe(code);
  expect(failure.meta.field).toBe(field);
  if (allowed) expect(failure.meta.allowed).toEqual(allowed);
});

describe('every place', () => {
  test('can be asked for by the name under which it is listed', () => {
    for (const pool of POOLS) expect(toTarget({ pool: pool.name }).country).toBe(pool.code);
  });

  test('has a code that fits between the hyphens of a username', () => {
    for (const pool of POOLS) {
      for (const state of statesOf(pool.code)) {
        expect(state.code).toMatch(/^[a-z0-9_]+$/);
        expect(toTarget({ pool: pool.name, state: state.name }).state).toBe(state.code);
      }
      for (const city of citiesOf(pool.code)) expect(city.code).toMatch(/^[a-z0-9_]+$/);
    }
  });

  test('stands in a state of its country', () => {
    for (const pool of POOLS)
      for (const city of citiesOf(pool.code))
        expect(
          statesOf(pool.code).map(({ iso }) => iso),
          `${city.name} in ${pool.name}`,
        ).toContain(city.state);
  });

  test('in the list of European countries is a country', () => {
    const countries = new Set(POOLS.filter(({ kind }) => kind === 'COUNTRY').map(({ code }) => code));
    expect(EUROPEAN_COUNTRIES.filter((code) => !countries.has(code))).toEqual([]);
    expect(new Set(EUROPEAN_COUNTRIES).size).toBe(EUROPEAN_COUNTRIES.length);
  });
});
