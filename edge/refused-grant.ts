// The failures that customers get when the ledger refuses a lease.
import { type Failure, fail } from '#platform/errors.ts';
import type { GrantOutcome, LeaseGrant } from './protocol/control-plane.ts';
import { userStopped } from './user-stop.ts';

const secondsOf = ({ validMs }: LeaseGrant): number => Math.max(1, Math.ceil(validMs / 1_000));

/** `wait` is not a refusal. */
const REFUSALS: Partial<Record<GrantOutcome, (grant: LeaseGrant) => Failure>> = {
  used_up: () => fail('bandwidth_used_up'),
  suspended: () => fail('account_suspended'),
  daily_limit: (grant) => fail('daily_limit_reached', { retry_after_seconds: secondsOf(grant) }),
  user_limit: (grant) => userStopped('limit', secondsOf(grant)),
  user_used_up: () => userStopped('used_up'),
  user_paused: () => userStopped('paused'),
};

/** Undefined: the node may ask again. */
export const refusalOf = (grant: LeaseGrant): Failure | undefined => REFUSALS[grant.outcome]?.(grant);
