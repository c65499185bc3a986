// Reads the caller's own plans.
import { accountOf, ownerOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { mayReach, secretFor } from '#platform/identity.ts';
import { unseal } from '#platform/sealing.ts';
import type { Plan } from '../domain/plan.ts';
import { ownPlan, plansOfAccount } from '../entities/plan.ts';
import type { Context } from '../context.ts';

/** Reads one plan. Throws `plan_not_found`, for another account's plan as for an unknown one. */
export async function readPlan(ctx: Context, id: string): Promise<Plan> {
  const plan = isId('plan', id) ? await ownPlan(ctx, ownerOf(ctx, id), id, ctx.clock.now()) : undefined;
  if (!plan) throw fail('plan_not_found');
  return plan;
}

/** Newest first; those that the caller has access to. */
export const readPlans = async (ctx: Context): Promise<Plan[]> =>
  (await plansOfAccount(ctx.em, accountOf(ctx), ctx.clock.now())).filter(({ id }) => mayReach(ctx.viewer, id));

/** Only the owner's signed-in session may read the password: an API key gets it as part of lines, and staff not at all. Throws `forbidden`. */
export function revealPassword({ viewer, providers }: Context, plan: Plan): string {
  if (viewer.kind !== 'session' || viewer.accountId !== plan.accountId) throw fail('forbidden');
  return secretFor(viewer, () => unseal(plan.passwordSealed, providers.secrets.sealing, plan.id));
}
