// What one GraphQL operation may use of the service, the same over HTTP and over a socket: requests of those without a key, and generations.
import { addressGroup } from '#platform/address-group.ts';
import type { Viewer } from '#platform/identity.ts';
import type { Access, Counted } from '../sign-in/access.ts';
import { type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';

export interface RequestLimits {
  /** Of an address, whatever comes from it without a key: a company that shares one address loads hundreds of pages a minute. */
  address: BudgetTerms;
  /** Of all sessions of an account: its tabs and its people. */
  account: BudgetTerms;
}

export const REQUEST_LIMITS: RequestLimits = {
  address: { burst: 6_000, perSecond: 100 },
  account: { burst: 3_000, perSecond: 50 },
};

export interface GraphqlAdmission {
  /** Before anything is read, parsed or looked up of a request without a key. Throws `too_many_attempts`. */
  takeOfAddress(address: string): void;
  /** Of a session's account; of others nothing. Throws `too_many_attempts`. */
  takeOf(viewer: Viewer): void;
  /** Counts what the operation generates against the key's, or the session's account's, 120 a minute. */
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
