// Where the proxies of a generation are to be, from what a caller typed.
import { fail } from '#platform/errors.ts';
import { citiesOf } from '../../../../edge/protocol/cities.ts';
import { nearMatches } from '../../../../edge/protocol/near-matches.ts';
import { findPool, poolsLike } from '../../../../edge/protocol/pools.ts';
import { toSlug } from '../../../../edge/protocol/slug.ts';
import { findState, statesOf } from '../../../../edge/protocol/states.ts';

export interface TargetingInput {
  pool: string;
  state?: string | null | undefined;
  city?: string | null | undefined;
}

/** As usernames carry it. */
export interface Target {
  country: string;
  state?: string;
  city?: string;
}

/**
 * Throws `pool_unknown`, `targeting_needs_country` (state and city with Europe or Worldwide), `state_unknown` or `city_unknown`; for unknown
 * names `allowed` has near matches. A city must lie in the state when both are given.
 */
export function toTarget({ pool: typed, state: typedState, city: typedCity }: TargetingInput): Target {
  const pool = findPool(typed);
  if (!pool) throw fail('pool_unknown', { field: 'pool', allowed: poolsLike(typed) });
  const target: Target = { country: pool.code };
  const narrowed = typedState != null ? 'state' : typedCity != null ? 'city' : undefined;
  if (narrowed === undefined) return target;
  if (pool.kind !== 'COUNTRY') throw fail('targeting_needs_country', { field: narrowed });

  const state = typedState == null ? undefined : findState(pool.code, typedState);
  if (typedState != null && !state)
    throw fail('state_unknown', {
      field: 'state',
      allowed: nearMatches(
        typedState,
        statesOf(pool.code).map(({ name }) => name),
      ),
    });
  if (state) target.state = state.code;
  if (typedCity == null) return target;

  const cities = citiesOf(pool.code, state?.iso);
  const wanted = toSlug(typedCity);
  const city = cities.find(({ code }) => code === wanted);
  if (!city)
    throw fail('city_unknown', {
      field: 'city',
      allowed: nearMatches(
        typedCity,
        cities.map(({ name }) => name),
      ),
    });
  target.city = city.code;
  return target;
}
