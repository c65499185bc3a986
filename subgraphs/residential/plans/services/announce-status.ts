// Appends events when a plan's status has changed. The status itself is derived whenever it is read, and does not depend on these events.
import { appendEvents } from '#platform/events.ts';
import { inTransaction } from '#platform/database.ts';
import { STATUS_EVENTS, type UsageFacts, statusOf } from '../domain/plan-status.ts';
import type { WatchedMarks } from '../domain/plan.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import { lockPlans, plansById, plansAnnouncedPaused, saveAnnounced } from '../entities/plan.ts';
import { plansToLapse } from '../entities/lapse.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { announceBalance, titleOf } from './announce-balance.ts';
import { announceLapse } from './announce-lapse.ts';
import { topUpLow } from './auto-top-up.ts';

interface AnnouncedPlan extends UsageFacts, WatchedMarks {
  id: string;
  accountId: string;
  announcedStatus: PlanStatus;
  lapsedBytes: bigint | null;
}

/**
 * Appends an event for each plan whose status is not the one last announced, and for each that has passed a mark of its balance; asks for automatic top-ups of
 * those that are low; notes what has lapsed. The plans must be locked, with their present figures.
 */
export async function announceStatus(ctx: Context, plans: readonly AnnouncedPlan[]): Promise<void> {
  const { em, clock } = ctx;
  await announceLapse(ctx, plans);
  await announceBalance(ctx, plans);
  await topUpLow(ctx, plans);
  const changes = plans.map((plan) => ({ plan, status: statusOf(plan) })).filter(({ plan, status }) => status !== plan.announcedStatus);
  if (changes.length === 0) return;
  await saveAnnounced(
    em,
    changes.map(({ plan: { id }, status }) => ({ id, status })),
  );
  const pauses = await pausesOf(
    ctx,
    changes.flatMap(({ plan: { id }, status }) => (status === 'PAUSED' ? [id] : [])),
  );
  const events = changes.map(({ plan: { id, accountId }, status }) => ({
    type: STATUS_EVENTS[status],
    at: clock.now(),
    accountId,
    subject: id,
    data: { planId: id, ...pauses.get(id) },
  }));
  await appendEvents(em, ...events);
}

/** What the owner is told of plans that have reached their limit. */
async function pausesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, { title: string; dailyLimitBytes: string }>> {
  const plans = ids.length === 0 ? [] : await plansById(ctx.em, ids, ctx.clock.now());
  return new Map(plans.map((plan) => [plan.id, { title: titleOf(ctx, plan), dailyLimitBytes: String(plan.dailyLimitBytes) }]));
}

const BATCH_SIZE = 500;

/** Spec, States: a paused plan is active again at 00:00 UTC. The status needs no job for that; this one notifies subscribers. */
export async function announceResumed(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (let last = ''; ;) {
    const paused = await plansAnnouncedPaused(ctx.em, last, BATCH_SIZE, now);
    const over = paused.filter((plan) => statusOf(plan) !== 'PAUSED');
    if (over.length > 0)
      await inTransaction(ctx, (tx) =>
        announceNow(
          tx,
          over.map(({ id }) => id),
        ),
      );
    if (paused.length < BATCH_SIZE) return;
    last = paused.at(-1)?.id ?? '';
  }
}

/** Plans whose validity is over have lapsed without a job; this one notes what has lapsed of them, and notifies nodes and subscribers. */
export async function announceLapsed(ctx: Context): Promise<void> {
  for (;;) {
    const ids = await plansToLapse(ctx.em, ctx.clock.now(), BATCH_SIZE);
    if (ids.length > 0) await inTransaction(ctx, (tx) => announceNow(tx, ids));
    if (ids.length < BATCH_SIZE) return;
  }
}

/** Locks the plans, and announces their status as it is then. */
async function announceNow(tx: Context, planIds: readonly string[]): Promise<void> {
  await lockPlans(tx.em, planIds);
  const now = await plansById(tx.em, planIds, tx.clock.now());
  await announceStatus(tx, now);
  for (const plan of now) await notifyFiguresChanged(tx.em, plan);
}
