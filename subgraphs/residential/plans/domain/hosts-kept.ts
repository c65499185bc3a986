// How hosts that were reached are kept with counted bytes: as the operator says, or more private by choice of the account.
import { because, fail } from '#platform/errors.ts';

/** From the least private: as they are; told apart, but not readable; not at all. */
export const HOSTS_KEPT = ['plain', 'hashed', 'off'] as const;
export type HostsKept = (typeof HOSTS_KEPT)[number];

/** What an account may choose where the operator keeps hosts so. */
export const allowedUnder = (operators: HostsKept): HostsKept[] => HOSTS_KEPT.slice(HOSTS_KEPT.indexOf(operators));

/** How the hosts of an account are kept: as chosen, unless the operator has become more private since. Null: the account has not chosen. */
export const keptOf = (chosen: HostsKept | null, operators: HostsKept): HostsKept =>
  chosen !== null && allowedUnder(operators).includes(chosen) ? chosen : operators;

/** Throws `parameter_invalid` for a choice that is less private than what the operator keeps. */
export function checkHostsKept(wanted: HostsKept, operators: HostsKept): void {
  const allowed = allowedUnder(operators);
  if (allowed.includes(wanted)) return;
  const names = allowed.map((each) => each.toUpperCase());
  throw fail('parameter_invalid', { field: 'kept', allowed: names, reason: because('hosts_less_private', { allowed: names.join(', ') }) });
}

/** What an account is told of it. */
export interface UsageHosts {
  kept: HostsKept;
  allowed: HostsKept[];
  /** When the account chose last. Null: never. */
  chosenAt: Date | null;
}
