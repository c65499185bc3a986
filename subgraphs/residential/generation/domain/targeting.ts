// The target of a generation, from what a caller typed.
import { fail } from '#platform/errors.ts';
import { citiesLike, findCity } from '../../../../edge/protocol/city-table.ts';
import { findPool, poolsLike } from '../../../../edge/protocol/pools.ts';
import { findState, statesLike } from '../../../../edge/protocol/states.ts';

export interface TargetingInput {
  pool: string;
  state?: string | null | undefined;
  city?: string | null | undefined;
}

/** A target as usernames spell it. */
export interface Target {
  country: string;
  state?: string;
  city?: string;
}

/**
 * Throws `pool_unknown`, `targeting_needs_country` (a state or a city with Europe or Worldwide), `state_unknown` or `city_unknown`; for unknown names `allowed`
 * has similar ones. A city must be in the state when both are given.
 */
export function toTarget({ pool: typed, state: typedState, city: typedCity }: TargetingInput): Target {
  const pool = findPool(typed);
  if (!pool) throw fail('pool_unknown', { field: 'pool', allowed: poolsLike(typed) });
  const target: Target = { country: pool.code };
  const narrowed = typedState != null ? 'state' : typedCity != null ? 'city' : undefined;
  if (narrowed === undefined) return target;
  if (pool.kind !== 'COUNTRY') throw fail('targeting_needs_country', { field: narrowed });

  const state = typedState == null ? undefined : findState(pool.code, typedState);
  if (typedState != null && !state) throw fail('state_unknown', { field: 'state', allowed: statesLike(pool.code, typedState) });
  if (state) target.state = state.code;
  if (typedCity == null) return target;

  const city = findCity(pool.code, typedCity, state?.iso);
  if (!city) throw fail('city_unknown', { field: 'city', allowed: citiesLike(pool.code, typedCity, state?.iso) });
  target.city = city.code;
  return target;
}
