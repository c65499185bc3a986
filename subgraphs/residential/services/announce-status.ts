// Events that tell a plan's status has changed. The status itself is derived wherever it is read and never waits for this.
import { CompiledQuery } from 'kysely';
import { type NewEvent, appendEvents } from '#shared/events.ts';
import { inTransaction } from '#shared/database.ts';
import { STATUS_EVENTS, type PlanStatus, type UsageFacts, statusOf } from '../domain/plan-status.ts';
import { plansToldPaused } from '../entities/plan.ts';
import { tellFiguresChanged } from '../entities/usage-ledger.ts';
import type { Context } from '../providers.ts';

interface AnnouncedPlan extends UsageFacts {
  id: string;
  accountId: string;
  announcedStatus: PlanStatus;
}

const ANNOUNCED = 'update residential.plan p set announced_status = a.status from unnest($1::text[], $2::text[]) as a(id, status) where p.id = a.id';

/** Appends an event for each plan whose status is not the one last told. Plans are locked, and as they are now. */
export async function announceStatus({ em, clock }: Context, plans: readonly AnnouncedPlan[]): Promise<void> {
  const changes = plans.map((plan) => ({ plan, status: statusOf(plan) })).filter(({ plan, status }) => status !== plan.announcedStatus);
  if (changes.length === 0) return;
  await em.getKysely().executeQuery(CompiledQuery.raw(ANNOUNCED, [changes.map(({ plan }) => plan.id), changes.map(({ status }) => status)]));
  const events = changes.map(({ plan: { id, accountId }, status }): NewEvent => ({ type: STATUS_EVENTS[status], at: clock.now(), accountId, subject: id, data: { planId: id } }));
  await appendEvents(em, ...events);
}

const AT_ONCE = 500;

/** Spec, States: a paused plan is active again at 00:00 UTC. Nobody need notice for it to be so; this tells those who watch. */
export async function announceResumed(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const resumed = (await plansToldPaused(tx.em, AT_ONCE, ctx.clock.now())).filter((plan) => statusOf(plan) !== 'PAUSED');
    await announceStatus(tx, resumed);
    for (const plan of resumed) await tellFiguresChanged(tx.em, plan);
  });
}
