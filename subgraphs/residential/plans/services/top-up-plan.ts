import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { endOf, extendedEnd, hasCome, reachedEndMark } from '../domain/validity.ts';
import { setValidity } from '../entities/lapse.ts';
import { addTopUp, topUpsOf } from '../entities/top-up.ts';
import { plansById } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import { lockToWithdraw } from '../entities/withdrawal.ts';
import type { Context } from '../context.ts';
import { announceStatus } from './announce-status.ts';
import { noteBought } from './auto-top-up.ts';

export interface PaidTopUp {
  accountId: string;
  orderId: string;
  planId: string;
  bytes: bigint;
  /** For how many days they are valid, from now on; absent: for ever. */
  validDays?: number | undefined;
  /** The id of an automatic top-up's request. */
  requestId?: string | undefined;
}

/**
 * Adds the bytes of an order to a plan, once. The plan's lines stay valid, and a plan that was used up works again. What was left rolls over: all of it is valid
 * until the later of the plan's end and that of what was bought. An order for a plan that was withdrawn or has lapsed fails, and accounts gives the money back.
 */
export const topUpPlan = (ctx: Context, { accountId, orderId, planId, bytes, validDays, requestId }: PaidTopUp): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const { em } = tx;
    const at = tx.clock.now();
    const plan = await lockToWithdraw(em, planId);
    const about = { at, accountId, subject: planId };
    if (plan && (await topUpsOf(em, planId)).some((topUp) => topUp.orderId === orderId)) return;
    if (plan?.accountId !== accountId || plan.withdrawn || hasCome(plan.validUntil, at)) {
      const data = { orderId, reason: 'The package that it was for is over.' };
      return appendEvents(em, { type: 'fulfilment.failed', ...about, data });
    }
    await addTopUp(em, { orderId, planId, bytes, at });
    const validUntil = extendedEnd(plan.validUntil, endOf(at, validDays));
    if (validUntil?.getTime() !== plan.validUntil?.getTime()) await setValidity(em, planId, validUntil, reachedEndMark(validUntil, at));
    if (requestId !== undefined) await noteBought(tx, planId, requestId);
    const [now] = await plansById(em, [planId], at);
    if (!now) throw new Error(`plan ${planId} is gone under its lock`);
    const data = {
      orderId,
      planId,
      bytes: bytes.toString(),
      totalBytes: now.totalBytes.toString(),
      ...(now.validUntil && { validUntil: now.validUntil.toISOString() }),
    };
    await appendEvents(
      em,
      { type: 'fulfilment.delivered', ...about, data: { orderId } },
      { type: 'residential_plan.topped_up', ...about, data },
    );
    await announceStatus(tx, [now]);
    await notifyFiguresChanged(em, now);
  });
