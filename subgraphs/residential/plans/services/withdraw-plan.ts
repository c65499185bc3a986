// Support takes back what was not used of a package, or a part of it.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { checkReason } from '#commerce/support-reason.ts';
import type { Plan } from '../domain/plan.ts';
import { plansById } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import { endPlan, lockToWithdraw, lowerTotal } from '../entities/withdrawal.ts';
import type { Context } from '../context.ts';
import { announceStatus } from './announce-status.ts';

export interface Withdrawal {
  planId: string;
  /** What is left of it afterwards, so that a repeat takes nothing more; 0: the plan is over. */
  leftBytes: bigint;
  /** The customer reads it in the mail. */
  reason: string;
}

/**
 * Errors: plan_not_found, own_account_refused, parameter_invalid (more than is left, or less than nodes hold of it), action_not_allowed (all of it
 * was taken back already).
 */
export function withdrawPlan(ctx: Context, { planId, leftBytes, reason }: Withdrawal): Promise<Plan> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const plan = await lockToWithdraw(tx.em, planId);
    if (!plan) throw fail('plan_not_found');
    refuseOwnAccount(tx, plan.accountId);
    if (plan.withdrawn) throw fail('action_not_allowed', { reason: because('plan_withdrawn_already') });
    const left = plan.totalBytes > plan.usedBytes ? plan.totalBytes - plan.usedBytes : 0n;
    if (leftBytes < 0n || leftBytes > left)
      throw fail('parameter_invalid', { field: 'leftBytes', reason: because('withdraw_limited', { max: left.toString() }) });
    if (leftBytes > 0n && leftBytes < plan.leasedBytes)
      throw fail('parameter_invalid', { field: 'leftBytes', reason: because('withdraw_in_use', { min: plan.leasedBytes.toString() }) });
    if (leftBytes === 0n) await endPlan(tx.em, planId, floorOf(plan));
    else if (leftBytes < left) await lowerTotal(tx.em, planId, plan.usedBytes + leftBytes);
    const [now] = await plansById(tx.em, [planId], tx.clock.now());
    if (!now) throw fail('plan_not_found');
    if (leftBytes > 0n) await announceStatus(tx, [now]);
    const title = tx.providers.products[now.product].name;
    await announceWithdrawn(tx, { ...plan, id: planId }, { bytes: (left - leftBytes).toString(), title, reason: words, by: accountOf(tx) });
    return now;
  });
}

interface Withdrawn {
  id: string;
  accountId: string;
  orderId: string;
}

/** Ends the plan of an order that was given back, in the transaction of `ctx.em`; nothing for one that has none, or is over. */
export async function takeBackRest(ctx: Context, planId: string): Promise<void> {
  const plan = await lockToWithdraw(ctx.em, planId);
  if (!plan || plan.withdrawn) return;
  await endPlan(ctx.em, planId, floorOf(plan));
  await announceWithdrawn(ctx, { ...plan, id: planId });
}

/** What may flow at most: what did, and what nodes hold. A plan has a byte at least. */
const floorOf = ({ totalBytes, usedBytes, leasedBytes }: { totalBytes: bigint; usedBytes: bigint; leasedBytes: bigint }): bigint => {
  const most = usedBytes + leasedBytes;
  return most < 1n ? 1n : most < totalBytes || usedBytes >= totalBytes ? most : totalBytes;
};

/** Appends the fact, and moves open pages. */
export async function announceWithdrawn(
  { em, clock }: Pick<Context, 'em' | 'clock'>,
  { id, accountId, orderId }: Withdrawn,
  more: { bytes?: string; title?: string; reason?: string; by?: string } = {},
): Promise<void> {
  const data = { orderId, planId: id, ...more };
  await appendEvents(em, { type: 'residential_plan.withdrawn', at: clock.now(), accountId, subject: id, data });
  await notifyFiguresChanged(em, { id, accountId });
}
