// The target of a generation, from what a caller typed.
import { type Reason, because, fail } from '#platform/errors.ts';
import { LINE_COUNTRIES_MAX } from '../../../../schema/limits.ts';
import { citiesLike, findCity } from '../../../../edge/protocol/city-table.ts';
import { type CountriesFault, type LineCountries, faultOf, joinCountries } from '../../../../edge/protocol/line-countries.ts';
import { POOLS, type Pool, findPools, poolsLike } from '../../../../edge/protocol/pools.ts';
import { findState, statesLike } from '../../../../edge/protocol/states.ts';

export interface TargetingInput {
  /** One place, or several countries with commas between. */
  pool: string;
  /** Countries with commas between. */
  exclude?: string | null | undefined;
  state?: string | null | undefined;
  city?: string | null | undefined;
}

/** A target as usernames spell it. */
export interface Target extends LineCountries {
  state?: string;
  city?: string;
}

const REASONS: Record<CountriesFault['kind'], (name: string) => Reason> = {
  pool_with_others: (name) => because('pool_with_others', { name }),
  named_twice: (name) => because('country_twice', { name }),
  excluded_twice: (name) => because('country_twice', { name }),
  pool_excluded: (name) => because('pool_excluded', { name }),
  named_and_excluded: (name) => because('country_named_and_excluded', { name }),
  too_many: () => because('countries_too_many', { max: LINE_COUNTRIES_MAX }),
};

function readPools(field: 'pool' | 'exclude', typed: string): readonly Pool[] {
  const { pools, unknown } = findPools(typed);
  if (unknown !== undefined) throw fail('pool_unknown', { field, allowed: poolsLike(unknown) });
  return pools;
}

/** Throws `pool_unknown`, and `parameter_invalid` for places that do not go together. */
function toCountries(named: readonly Pool[], excluded: readonly Pool[]): LineCountries {
  const codes = [named, excluded].map((pools) => pools.map(({ code }) => code)) as [string[], string[]];
  const fault = faultOf(...codes);
  if (!fault) return joinCountries(...codes);
  const name = POOLS.find(({ code }) => code === fault.code)?.name ?? fault.code;
  throw fail('parameter_invalid', { field: fault.list === 'country' ? 'pool' : 'exclude', reason: REASONS[fault.kind](name) });
}

/**
 * Throws `pool_unknown`, `parameter_invalid` (places that do not go together), `targeting_needs_country` (a state or a city without a single country),
 * `state_unknown` or `city_unknown`; for unknown names `allowed` has similar ones. A city must be in the state when both are given.
 */
export function toTarget({ pool: typed, exclude, state: typedState, city: typedCity }: TargetingInput): Target {
  const pools = readPools('pool', typed);
  const target: Target = toCountries(pools, exclude == null ? [] : readPools('exclude', exclude));
  const narrowed = typedState != null ? 'state' : typedCity != null ? 'city' : undefined;
  if (narrowed === undefined) return target;
  const [pool, ...others] = pools;
  if (pool?.kind !== 'COUNTRY' || others.length > 0) throw fail('targeting_needs_country', { field: narrowed });

  const state = typedState == null ? undefined : findState(pool.code, typedState);
  if (typedState != null && !state) throw fail('state_unknown', { field: 'state', allowed: statesLike(pool.code, typedState) });
  if (state) target.state = state.code;
  if (typedCity == null) return target;

  const city = findCity(pool.code, typedCity, state?.iso);
  if (!city) throw fail('city_unknown', { field: 'city', allowed: citiesLike(pool.code, typedCity, state?.iso) });
  target.city = city.code;
  return target;
}
