import { fail } from '#platform/errors.ts';
import type { CatalogueContext } from '../context.ts';
import type { DedicatedPlan } from '../domain/dedicated-plan.ts';

/** A plan as the operator sells it. Errors: parameter_invalid. */
export const dedicatedPlan = (ctx: CatalogueContext, code: string): DedicatedPlan => {
  const plan = ctx.providers.shop.dedicatedPlans.find((one) => one.code === code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan;
};
