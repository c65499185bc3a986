// Support gives a plan a new proxy password, so that lines which were passed on, or through which abuse comes, stop working.
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { checkReason } from '#commerce/support-reason.ts';
import type { Plan } from '../domain/plan.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { lockedPlanOfAny, plansById } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { replacePassword } from './plan-settings.ts';

/** Like the owner's own reset; the owner gets the reason by mail. Errors: plan_not_found, own_account_refused, parameter_invalid, action_not_allowed. */
export function resetForSupport(ctx: Context, { planId, reason }: { planId: string; reason: string }): Promise<Plan> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const entity = await lockedPlanOfAny(tx.em, planId);
    refuseOwnAccount(tx, entity.accountId);
    const read = async () => (await plansById(tx.em, [planId], tx.clock.now()))[0] as Plan;
    const plan = await read();
    requireAction('reset_authentication', plan, tx.providers.products[plan.product]);
    await replacePassword(tx, entity, { title: tx.providers.products[plan.product].name, reason: words, by: accountOf(tx) });
    await tx.em.flush();
    const now = await read();
    await notifyFiguresChanged(tx.em, now);
    return now;
  });
}
