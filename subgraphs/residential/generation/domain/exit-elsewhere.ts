// Whether an exit is where its line asks for.
import type { LineTarget } from '../../../../edge/protocol/line-username.ts';
import { countriesOf } from '../../../../edge/protocol/line-countries.ts';
import { EUROPEAN_COUNTRIES } from '../../../../edge/protocol/pools.ts';

/** Whether the exit is in another country than those that the line asks for. */
export function isElsewhere({ country, not }: LineTarget, seen: string): boolean {
  if (not !== undefined && countriesOf(not).includes(seen)) return true;
  return country !== 'any' && !(country === 'eu' ? EUROPEAN_COUNTRIES : countriesOf(country)).includes(seen);
}
