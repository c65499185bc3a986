import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { addTopUp } from '../entities/top-up.ts';
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
  /** The id of an automatic top-up's request. */
  requestId?: string | undefined;
}

/**
 * Adds the bytes of an order to a plan, once. The plan's lines stay valid, and a plan that was used up works again. An order for a plan that is over fails, and
 * accounts gives the money back.
 */
export const topUpPlan = (ctx: Context, { accountId, orderId, planId, bytes, requestId }: PaidTopUp): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const { em } = tx;
    const at = tx.clock.now();
    const plan = await lockToWithdraw(em, planId);
    const about = { at, accountId, subject: planId };
    if (plan?.accountId !== accountId || plan.withdrawn) {
      const data = { orderId, reason: 'The package that it was for is over.' };
      return appendEvents(em, { type: 'fulfilment.failed', ...about, data });
    }
    if (!(await addTopUp(em, { orderId, planId, bytes, at }))) return;
    if (requestId !== undefined) await noteBought(tx, planId, requestId);
    const [now] = await plansById(em, [planId], at);
    if (!now) throw new Error(`plan ${planId} is gone under its lock`);
    const data = { orderId, planId, bytes: bytes.toString(), totalBytes: now.totalBytes.toString() };
    await appendEvents(
      em,
      { type: 'fulfilment.delivered', ...about, data: { orderId } },
      { type: 'residential_plan.topped_up', ...about, data },
    );
    await announceStatus(tx, [now]);
    await notifyFiguresChanged(em, now);
  });
