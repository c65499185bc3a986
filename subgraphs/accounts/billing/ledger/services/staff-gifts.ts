// Money that support gives away: never to oneself, and by each member of staff only so much a day.
import { toDay } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { addStaffGift } from '../entities/staff-gift.ts';
import type { LedgerContext } from '../context.ts';

/**
 * Counts what a member of staff gives an account (credit, refunds), in the transaction that gives it: a refusal takes both back. What the platform
 * gives by itself is not counted. Errors: own_account_refused, staff_limit_reached.
 */
export async function countGift(
  ctx: LedgerContext,
  { accountId, amountMinor, currency }: { accountId: string; amountMinor: number; currency: string },
): Promise<void> {
  refuseOwnAccount(ctx, accountId);
  const { viewer, clock, providers } = ctx;
  if (viewer.kind !== 'session' || !viewer.staff) return;
  const given = await addStaffGift(ctx.em, { staffId: viewer.accountId, day: toDay(clock.now()), currency, amountMinor });
  if (given > BigInt(providers.staffDailyLimitMinor)) throw fail('staff_limit_reached', { field: 'amountMinor' });
}
