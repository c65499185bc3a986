// The countries of a line, as usernames and batches write them: codes joined by `_`. It may name several, of which the exit is in any, or exclude some.

import { LINE_COUNTRIES_MAX } from '../../schema/limits.ts';

/** Worldwide and Europe: each is many countries already. */
const POOLED = ['any', 'eu'];
const JOINER = '_';

export interface LineCountries {
  /** A lower-case ISO 3166 code, `eu` or `any`; or several codes in alphabetical order, joined by `_`. */
  country: string;
  /** Codes of countries that the exit is not in, likewise. Only with `eu` and `any`. */
  not?: string | undefined;
}

/** What is wrong with a list of countries. `code`: which of them. */
export interface CountriesFault {
  kind: 'pool_with_others' | 'named_twice' | 'excluded_twice' | 'pool_excluded' | 'named_and_excluded' | 'too_many';
  list: 'country' | 'not';
  code: string;
}

export const countriesOf = (word: string): readonly string[] => word.split(JOINER);

/** Whether the exits of several countries serve the line one by one. `eu` and `any` are one pool of exits unless countries are excluded. */
export const isSeveral = ({ country, not }: LineCountries): boolean => not !== undefined || country.includes(JOINER);

const twice = (codes: readonly string[]): string | undefined => codes.find((code, index) => codes.indexOf(code) !== index);

/** The first fault of known codes; undefined: there is none. */
export function faultOf(named: readonly string[], excluded: readonly string[]): CountriesFault | undefined {
  const pooled = named.length > 1 ? named.find((code) => POOLED.includes(code)) : undefined;
  if (pooled !== undefined) return { kind: 'pool_with_others', list: 'country', code: pooled };
  const [again, excludedAgain] = [twice(named), twice(excluded)];
  if (again !== undefined) return { kind: 'named_twice', list: 'country', code: again };
  const excludedPool = excluded.find((code) => POOLED.includes(code));
  if (excludedPool !== undefined) return { kind: 'pool_excluded', list: 'not', code: excludedPool };
  if (excludedAgain !== undefined) return { kind: 'excluded_twice', list: 'not', code: excludedAgain };
  const both = named.find((code) => excluded.includes(code));
  if (both !== undefined) return { kind: 'named_and_excluded', list: 'not', code: both };
  for (const [list, codes] of [['country', named] as const, ['not', excluded] as const]) {
    const [beyond] = codes.slice(LINE_COUNTRIES_MAX);
    if (beyond !== undefined) return { kind: 'too_many', list, code: beyond };
  }
  return undefined;
}

/** Joins codes without a fault. Lines that mean the same get the same words: countries that are named need no exclusion. */
export function joinCountries(named: readonly string[], excluded: readonly string[]): LineCountries {
  const country = named.toSorted().join(JOINER);
  return { country, ...(excluded.length > 0 && POOLED.includes(country) && { not: excluded.toSorted().join(JOINER) }) };
}
