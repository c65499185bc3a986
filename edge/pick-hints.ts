// What the choice of an exit depends on besides the line, what comes of it, and why there is none.
import { fail } from '#platform/errors.ts';
import { type Exit, reaches, takesNames } from './exit.ts';
import type { ExitPool } from './exit-index.ts';

/** What the choice depends on besides the line. */
export interface PickHints {
  /** Exits that have already failed for this connection. */
  except?: ReadonlySet<Exit> | undefined;
  /** The target's addresses; the exit must reach one. Undefined: the exit must take names. Without `host` it is ignored. */
  addresses?: readonly string[] | undefined;
  /** The target's name or address. Absent: any exit will do. */
  host?: string | undefined;
  /** Only exits that are an address of this node, since the others carry no datagrams. */
  local?: boolean;
  /** How often the plan's owner has asked for another address of a session. */
  renewals?: number | undefined;
}

/** An exit for a line. */
export interface Picked {
  readonly exit: Exit;
  /** The line's country; where it names several, the one that it leaves by. */
  readonly country: string;
}

/** Whether the exit can reach the target: by name, or at one of its addresses. */
export const leadsTo = (exit: Exit, addresses: readonly string[] | undefined): boolean =>
  takesNames(exit) || addresses?.some((address) => reaches(exit, address)) === true;

/** Throws the reason why no exit of these pools is usable. */
export function refuse(pools: readonly ExitPool[], { host, addresses }: PickHints): never {
  const hasExits = pools.some(({ exits }) => exits.length > 0);
  const reachesTarget = host === undefined || pools.some(({ exits }) => exits.some((exit) => leadsTo(exit, addresses)));
  throw fail(hasExits && !reachesTarget ? 'target_family_unreachable' : 'exit_unavailable');
}
