// What the books are given.
import type { Context } from '#platform/context.ts';
import type { IdentityProviders } from '../../identity/context.ts';

export interface LedgerProviders extends IdentityProviders {
  /** What one member of staff may give away in a day, in minor units. */
  staffDailyLimitMinor: number;
  /** What one member of staff may give as credit at once, in minor units. */
  staffGrantLimitMinor: number;
}

export type LedgerContext = Context<LedgerProviders>;
