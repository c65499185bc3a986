// Takes back what was not used of a package: by support, or since an order that paid for it is refunded.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { checkReason } from '#commerce/support-reason.ts';
import type { Plan } from '../domain/plan.ts';
import { floorOf, totalWithout, unusedOf } from '../domain/top-up.ts';
import { hasCome } from '../domain/validity.ts';
import { plansById } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import { markTakenBack, topUpsOf } from '../entities/top-up.ts';
import { endPlan, lockToWithdraw, lowerTotal, markOwnTakenBack } from '../entities/withdrawal.ts';
import type { Context } from '../context.ts';
import { announceStatus } from './announce-status.ts';

export interface Withdrawal {
  planId: string;
  /** What is to be left of the package, so that a repeated call takes nothing more; 0: the plan is over. */
  leftBytes: bigint;
  /** The customer gets it by mail. */
  reason: string;
}

/**
 * Errors: plan_not_found, own_account_refused, parameter_invalid (more than is left, or less than nodes hold of it), action_not_allowed (all of it
 * was taken back already, or has lapsed).
 */
export function withdrawPlan(ctx: Context, { planId, leftBytes, reason }: Withdrawal): Promise<Plan> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const plan = await lockToWithdraw(tx.em, planId);
    if (!plan) throw fail('plan_not_found');
    refuseOwnAccount(tx, plan.accountId);
    if (plan.withdrawn) throw fail('action_not_allowed', { reason: because('plan_withdrawn_already') });
    if (hasCome(plan.validUntil, tx.clock.now())) throw fail('action_not_allowed', { reason: because('plan_lapsed') });
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

/**
 * Takes back the unused bytes of an order, which made the plan or topped it up, in the transaction of `ctx.em`. The plan is over when no other order of it
 * remains. Does nothing when they were taken back before, or have lapsed.
 */
export async function takeBackRest(ctx: Context, { planId, orderId }: { planId: string; orderId: string }): Promise<void> {
  const plan = await lockToWithdraw(ctx.em, planId);
  if (!plan || plan.withdrawn || hasCome(plan.validUntil, ctx.clock.now())) return;
  const topUps = await topUpsOf(ctx.em, planId);
  const taken = unusedOf(orderId, plan, topUps);
  const topUp = topUps.find((row) => row.orderId === orderId);
  if (!taken || (topUp ? topUp.takenBackAt !== null : plan.ownTakenBack)) return;
  if (topUp) await markTakenBack(ctx.em, orderId, taken.usedBytes, ctx.clock.now());
  else await markOwnTakenBack(ctx.em, planId);
  const standsOwn = topUp !== undefined && !plan.ownTakenBack;
  const goesOn = standsOwn || topUps.some((row) => row.orderId !== orderId && row.takenBackAt === null);
  if (goesOn) {
    await lowerTotal(ctx.em, planId, totalWithout(taken.unusedBytes, plan));
    await announceStatus(ctx, await plansById(ctx.em, [planId], ctx.clock.now()));
  } else await endPlan(ctx.em, planId, floorOf(plan));
  await announceWithdrawn(ctx, { accountId: plan.accountId, orderId, id: planId });
}

/** Appends the event, and notifies open pages of the new figures. */
export async function announceWithdrawn(
  { em, clock }: Pick<Context, 'em' | 'clock'>,
  { id, accountId, orderId }: Withdrawn,
  more: { bytes?: string; title?: string; reason?: string; by?: string } = {},
): Promise<void> {
  const data = { orderId, planId: id, ...more };
  await appendEvents(em, { type: 'residential_plan.withdrawn', at: clock.now(), accountId, subject: id, data });
  await notifyFiguresChanged(em, { id, accountId });
}
