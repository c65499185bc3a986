// Handles places in usernames for which this node has no exit: another spelling, a typing error, or a place without an exit at the moment.
import { type Failure, fail } from '#platform/errors.ts';
import type { Exit } from './exit.ts';
import { citiesOf } from './protocol/cities.ts';
import { CITY_ALIASES } from './protocol/city-aliases.ts';
import type { LineTarget } from './protocol/line-username.ts';
import { nearMatches } from '#platform/near-matches.ts';
import { toSlug } from '#platform/slug.ts';
import { findState, statesLike } from './protocol/states.ts';

/** The place in its normal spelling: `ny` becomes new_york, `nyc` new_york_city. Undefined when that changes nothing. */
export function respelled(target: LineTarget): LineTarget | undefined {
  const { country, state, city } = target;
  const [stateCode, cityCode] = [state && (findState(country, state)?.code ?? state), city && (aliasesOf(country).get(city) ?? city)];
  if (stateCode === state && cityCode === city) return undefined;
  return { ...target, ...(stateCode !== undefined && { state: stateCode }), ...(cityCode !== undefined && { city: cityCode }) };
}

const aliases = new Map<string, ReadonlyMap<string, string>>();

function aliasesOf(country: string): ReadonlyMap<string, string> {
  let known = aliases.get(country);
  if (!known) {
    known = new Map(Object.entries(CITY_ALIASES[country] ?? {}).map(([alias, name]) => [toSlug(alias), toSlug(name)]));
    aliases.set(country, known);
  }
  return known;
}

/** The reason: 400 with similar names for an unknown place, which no retry helps; otherwise that there is no exit at the moment. */
export function noExitIn({ country, state, city }: LineTarget, exits: readonly Exit[]): Failure {
  const there = exits.flatMap(({ definition }) => (definition.kind !== 'gateway' && definition.country === country ? definition : []));
  if (state !== undefined && !findState(country, state) && !there.some((exit) => exit.state === state))
    return unknown('state', state, country, statesLike(country, state).map(toSlug));
  const cities = [...new Set([...there.flatMap((exit) => exit.city ?? []), ...citiesOf(country).map(({ code }) => code)])];
  if (city !== undefined && !cities.includes(city)) return unknown('city', city, country, nearMatches(city, cities));
  return fail('exit_unavailable');
}

const unknown = (part: string, value: string, country: string, near: readonly string[]): Failure =>
  fail(
    'proxy_username_invalid',
    {},
    `There is no exit in the ${part} ${value} of ${country}.${near.length > 0 ? ` Near are ${[...new Set(near)].join(', ')}.` : ''}`,
  );
