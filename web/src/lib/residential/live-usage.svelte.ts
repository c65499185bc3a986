// Figures of plans as they were asked for, overlaid by what the subscriptions say since.
import { follow } from '#lib/live.svelte.ts';
import { ResidentialPlanChanged, ResidentialUsageChanged, type Plan, type Usage } from '#lib/ops/residential-plan.ts';

/** The later of two snapshots of one plan. */
const later = (a: Usage, b: Usage | undefined) => (b && b.asOf >= a.asOf ? b : a);

export interface LivePlans {
  /** The plan with its newest known figures. */
  fresh(plan: Plan): Plan;
  /** What a mutation answered: counts at once, before any event. */
  put(plan: Plan): void;
}

/**
 * Follows one plan, or with null every plan of the account.
 * onDelivered: a plan that was not known before has appeared.
 */
export function livePlans(planId: () => string | null, onDelivered?: (plan: Plan) => void): LivePlans {
  let usages = $state.raw<Record<string, Usage>>({});
  let plans = $state.raw<Record<string, Plan>>({});

  const putUsage = (usage: Usage) => {
    usages = { ...usages, [usage.planId]: usage };
  };
  const put = (plan: Plan) => {
    plans = { ...plans, [plan.id]: plan };
    putUsage(plan.usage);
  };

  follow(
    ResidentialUsageChanged,
    () => ({ planId: planId() }),
    ({ residentialUsageChanged }) => putUsage(residentialUsageChanged),
  );
  follow(
    ResidentialPlanChanged,
    () => ({}),
    ({ residentialPlanChanged }) => {
      put(residentialPlanChanged);
      onDelivered?.(residentialPlanChanged);
    },
  );

  return {
    fresh(plan) {
      const known = plans[plan.id] ?? plan;
      const usage = later(known.usage, usages[plan.id]);
      return { ...known, usage, status: usage.status, dailyLimitBytes: usage.dailyLimitBytes };
    },
    put,
  };
}
