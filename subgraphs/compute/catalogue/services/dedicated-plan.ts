import { fail } from '#platform/errors.ts';
import type { ServerShop } from '../domain/catalogue.ts';
import type { DedicatedPlan } from '../domain/dedicated-plan.ts';

/** A plan as the shop sells it. Errors: parameter_invalid. */
export const dedicatedPlan = ({ dedicatedPlans }: Pick<ServerShop, 'dedicatedPlans'>, code: string): DedicatedPlan => {
  const plan = dedicatedPlans.find((one) => one.code === code);
  if (!plan) throw fail('parameter_invalid', { field: 'plan' });
  return plan;
};
