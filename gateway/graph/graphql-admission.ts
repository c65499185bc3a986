// Limits of one GraphQL operation, the same over HTTP and over a WebSocket: requests without a key, and generations of proxy lines.
import { addressGroup } from '#platform/address-group.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Access, Counted } from '../sign-in/access.ts';
import { type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';

export interface RequestLimits {
  /** Requests without a key from one address. A company that shares one address loads hundreds of pages a minute. */
  address: BudgetTerms;
  /** Requests of all sessions of one account, since an account has several people and tabs. */
  account: BudgetTerms;
}

export const REQUEST_LIMITS: RequestLimits = {
  address: { burst: 6_000, perSecond: 100 },
  account: { burst: 3_000, perSecond: 50 },
};

export interface GraphqlAdmission {
  /** Counts a request without a key for its address, before any of it is read, parsed or looked up. Throws `too_many_attempts`. */
  takeOfAddress(address: string): void;
  /** Counts a request for the account of a session; does nothing for other viewers. Throws `too_many_attempts`. */
  takeOf(viewer: Viewer): void;
  /** Counts the operation's generations against 120 a minute: in the key's bucket, or in the bucket of the session's account. */
  countGenerations(viewer: Viewer, authorization: string | undefined, generations: number): Promise<Counted>;
}

export function createGraphqlAdmission(access: Access, given: Partial<RequestLimits> = {}, now?: Ticks): GraphqlAdmission {
  const limits = { ...REQUEST_LIMITS, ...given };
  const addresses = createBudget(limits.address, now);
  const accounts = createBudget(limits.account, now);
  return {
    takeOfAddress: (address) => addresses.take(addressGroup(address)),
    takeOf(viewer) {
      if (viewer.kind === 'session') accounts.take(viewer.accountId);
    },
    async countGenerations(viewer, authorization, generations) {
      if (generations === 0) return {};
      if (viewer.kind === 'key' && authorization !== undefined) return access.countGenerations({ authorization }, generations);
      return viewer.kind === 'session' ? access.countGenerations({ accountId: viewer.accountId }, generations) : {};
    },
  };
}
