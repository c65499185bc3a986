import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinCountries } from '../../../edge/protocol/line-countries.ts';
import { LINE_COUNTRIES_MAX } from '../../../schema/limits.ts';
import { LINE_EXAMPLES, LINE_PARTS } from '../../../schema/line-parts.ts';
import { baseOf, readLineTarget, sessionPart, targetPart } from '../../../edge/protocol/line-username.ts';
import { POOLS } from '../../../edge/protocol/pools.ts';

const read = (parts: string) => readLineTarget(`user${parts}`, [30, 60]);
const COUNTRIES = POOLS.filter(({ kind }) => kind === 'COUNTRY').map(({ code }) => code);
const many = (count: number) => COUNTRIES.slice(0, count).join('_');

test.each([
  ['', { country: 'any' }],
  ['-country-de', { country: 'de' }],
  ['-country-de_fr_it', { country: 'de_fr_it' }],
  ['-country-it_DE_fr', { country: 'de_fr_it' }],
  ['-country-fr_uk', { country: 'fr_gb' }],
  ['-not-fr', { country: 'any', not: 'fr' }],
  ['-country-any-not-us_ca', { country: 'any', not: 'ca_us' }],
  ['-not-uk-country-eu', { country: 'eu', not: 'gb' }],
  // A country that is named needs no exclusion of others.
  ['-country-de_fr-not-it', { country: 'de_fr' }],
  ['-country-de-not-fr-state-bavaria', { country: 'de', state: 'bavaria' }],
  ['-country-de_fr-asn-3320', { country: 'de_fr', asn: '3320' }],
  ['-session-7-turn-1', { country: 'any', session: '7', lifetime: 60, turn: 1 }],
  ['-session-7-turn-0', { country: 'any', session: '7', lifetime: 60 }],
  ['-turn-999999999-onlost-switch-session-a7', { country: 'any', session: 'a7', lifetime: 60, turn: 999_999_999, switchesWhenLost: true }],
])('%s is read', (parts, expected) => {
  expect(read(parts)).toEqual({ switchesWhenLost: false, ...expected });
});

describe('is refused with its reason:', () => {
  test.each([
    ['-country-zz', 'The country zz in the proxy username is not known.'],
    ['-country-de_zz', 'The country zz in the proxy username is not known.'],
    ['-not-zz', 'The country zz in the proxy username is not known.'],
    ['-country-de_de', 'country in the proxy username names de more than once.'],
    ['-country-gb_uk', 'country in the proxy username names gb more than once.'],
    ['-not-fr_fr', 'not in the proxy username names fr more than once.'],
    ['-country-any_de', 'country in the proxy username names any with others: any and eu stand alone.'],
    ['-country-de_eu', 'country in the proxy username names eu with others: any and eu stand alone.'],
    ['-not-eu', 'not in the proxy username takes countries alone: eu is none.'],
    ['-not-any', 'not in the proxy username takes countries alone: any is none.'],
    ['-country-de-not-de', 'The proxy username names de and excludes it.'],
    ['-country-de_fr-not-us_fr', 'The proxy username names fr and excludes it.'],
    ['-country-de_fr-state-bavaria', 'state and city in the proxy username need a single country.'],
    ['-not-fr-city-berlin', 'state and city in the proxy username need a single country.'],
    [`-country-${many(LINE_COUNTRIES_MAX + 1)}`, 'country in the proxy username names more than 20 countries.'],
    [`-not-${many(LINE_COUNTRIES_MAX + 1)}`, 'not in the proxy username names more than 20 countries.'],
    ['-not-fr-not-de', 'The proxy username says not more than once.'],
    ['-country-de_', 'The value of country in the proxy username is not possible.'],
    ['-country-_de', 'The value of country in the proxy username is not possible.'],
    ['-country-de__fr', 'The value of country in the proxy username is not possible.'],
    ['-country-de,fr', 'The value of country in the proxy username is not possible.'],
    ['-not', 'The value of not in the proxy username is not possible.'],
    ['-turn-1', 'turn in the proxy username needs a session.'],
    ['-session-7-turn-01', 'The value of turn in the proxy username is not possible.'],
    ['-session-7-turn-x', 'The value of turn in the proxy username is not possible.'],
    ['-session-7-turn-1000000000', 'The value of turn in the proxy username is not possible.'],
    ['-session-7-turn-1-turn-2', 'The proxy username says turn more than once.'],
  ])('%s', (parts, message) => {
    expect(() => read(parts)).toThrow(expect.objectContaining({ code: 'proxy_username_invalid', status: 400, message }));
  });
});

test('what is written is read again, in whatever order countries are named', () => {
  const codes = (max: number) => fc.uniqueArray(fc.constantFrom(...COUNTRIES), { maxLength: max });
  fc.assert(
    fc.property(codes(LINE_COUNTRIES_MAX), codes(LINE_COUNTRIES_MAX), fc.constantFrom('any', 'eu'), (named, others, pool) => {
      const excluded = others.filter((code) => !named.includes(code));
      const places = joinCountries(named.length > 0 ? named : [pool], excluded);
      const username = `${targetPart('u'.repeat(10), places)}${sessionPart('00001234', 60)}`;
      expect(username.length).toBeLessThanOrEqual(255);
      expect(baseOf(username)).toBe('u'.repeat(10));
      expect(readLineTarget(username, [60])).toEqual({ ...places, session: '00001234', lifetime: 60, switchesWhenLost: false });
      expect(joinCountries(named.toReversed(), excluded.toReversed())).toEqual(joinCountries(named, excluded));
    }),
  );
});

test.each(LINE_PARTS)('the example of %s on the public page is read as that part', (part) => {
  expect(LINE_EXAMPLES[part].split('-')).toContain(part);
  expect(() => read(`-${LINE_EXAMPLES[part]}`)).not.toThrow();
  expect(() => read(`-${LINE_EXAMPLES[part]}-${part}-1`)).toThrow(`says ${part} more than once`);
});
