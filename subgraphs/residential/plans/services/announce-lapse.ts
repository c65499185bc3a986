// Notes what of plans has lapsed, and appends the events. A plan has lapsed as soon as its time has come, noted or not.
import { appendEvents } from '#platform/events.ts';
import { type Plan, unusedBytes } from '../domain/plan.ts';
import { type Ending, isLapsed } from '../domain/validity.ts';
import { noteLapse } from '../entities/lapse.ts';
import { plansById } from '../entities/plan.ts';
import type { Context } from '../context.ts';
import { endWithPlan } from './auto-top-up.ts';
import { titleOf } from './announce-balance.ts';

type EndingPlan = Pick<Plan, 'id' | 'totalBytes' | 'upBytes' | 'downBytes' | 'lapsedBytes'> & Ending;

/**
 * Notes what has lapsed of those of the plans whose time has come, and of those that had lapsed before what is reported late: sold, less what was taken back, is
 * used and lapsed together in every committed state after the first note. The plans must be locked, with their present figures.
 */
export async function announceLapse(ctx: Context, plans: readonly EndingPlan[]): Promise<void> {
  const changed = plans.filter((plan) => isLapsed(plan) && plan.lapsedBytes !== unusedBytes(plan));
  for (const plan of changed) await noteLapse(ctx.em, plan.id, unusedBytes(plan), ctx.clock.now());
  const ended = changed.filter(({ lapsedBytes }) => lapsedBytes === null).map(({ id }) => id);
  if (ended.length === 0) return;
  for (const id of ended) await endWithPlan(ctx, id);
  const now = await plansById(ctx.em, ended, ctx.clock.now());
  await appendEvents(
    ctx.em,
    ...now.map((plan) => ({
      type: 'residential_plan.lapsed' as const,
      at: ctx.clock.now(),
      accountId: plan.accountId,
      subject: plan.id,
      data: {
        planId: plan.id,
        title: titleOf(ctx, plan),
        bytes: unusedBytes(plan).toString(),
        validUntil: plan.validUntil?.toISOString() ?? '',
      },
    })),
  );
}
