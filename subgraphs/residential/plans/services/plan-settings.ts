// What an owner changes on a plan: proxy authentication and the Daily Usage Limit. Both take effect at once.
import { doneBy, ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { checkDailyLimit } from '../domain/daily-limit.ts';
import type { Plan } from '../domain/plan.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { storeOldPassword } from '../entities/old-password.ts';
import { type PlanEntity, lockedPlan } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { announceStatus } from './announce-status.ts';
import { newPassword } from './grant-plan.ts';
import { readPlan } from './read-plans.ts';

/** Loads the caller's plan under a lock, changes it, and returns it as it is afterwards. */
const changePlan = (ctx: Context, id: string, change: (tx: Context, entity: PlanEntity, plan: Plan) => Promise<void>): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const entity = await lockedPlan(tx.em, ownerOf(ctx, id), id);
    await change(tx, entity, await readPlan(tx, id));
    await tx.em.flush();
    const plan = await readPlan(tx, id);
    await announceStatus(tx, [plan]);
    await notifyFiguresChanged(tx.em, plan);
    return plan;
  });

/** Makes a new password; the old one, and every line made with it, is refused from now on. Throws `plan_not_found`, `action_not_allowed`. */
export const resetAuthentication = (ctx: Context, id: string): Promise<Plan> =>
  changePlan(ctx, id, async (tx, entity, plan) => {
    requireAction('reset_authentication', plan, ctx.providers.products[plan.product]);
    await replacePassword(tx, entity, doneBy(tx));
  });

/** Replaces the password of a plan, in the transaction of `em`, which has locked the plan. `more`: what the event tells of who did it, and of a reset by support. */
export async function replacePassword(
  { em, clock, providers }: Context,
  entity: PlanEntity,
  more: { title?: string; reason?: string; by?: string; member?: string } = {},
): Promise<void> {
  const { id, accountId } = entity;
  await storeOldPassword(em, id, clock.now());
  const { sealed, fingerprint } = newPassword(id, providers.secrets.sealing);
  entity.passwordSealed = sealed;
  entity.passwordFingerprint = fingerprint;
  entity.credentialEpoch += 1;
  const data = { planId: id, credentialEpoch: entity.credentialEpoch, ...more };
  await appendEvents(em, { type: 'residential_plan.reset', at: clock.now(), accountId, subject: id, data });
}

/** Null removes the limit. Throws `plan_not_found`, `limit_not_available`, `limit_too_low`, `parameter_invalid` for a fraction of a MB. */
export const setDailyLimit = (ctx: Context, id: string, dailyLimitBytes: bigint | null): Promise<Plan> =>
  changePlan(ctx, id, async (tx, entity, plan) => {
    requireAction('set_daily_limit', plan, ctx.providers.products[plan.product]);
    checkDailyLimit(dailyLimitBytes);
    if (plan.dailyLimitBytes === dailyLimitBytes) return;
    entity.dailyLimitBytes = dailyLimitBytes;
    const data = { planId: id, dailyLimitBytes: dailyLimitBytes?.toString() ?? null, ...doneBy(tx) };
    await appendEvents(tx.em, { type: 'residential_plan.limited', at: ctx.clock.now(), accountId: plan.accountId, subject: id, data });
  });
