// The figures of plans from queries, updated by subscriptions.
import { follow } from '#lib/live.svelte.ts';
import { ResidentialPlanChanged, ResidentialUsageChanged, type Plan, type Usage } from '#lib/ops/residential-plan.ts';

/** The newer of two snapshots of one plan. */
const later = (a: Usage, b: Usage | undefined) => (b && b.asOf >= a.asOf ? b : a);

export interface LivePlans {
  /** The plan with its newest known figures. */
  fresh(plan: Plan): Plan;
  /** Takes over the plan from a mutation's answer at once, before any event. */
  put(plan: Plan): void;
}

/**
 * Follows one plan or, with null, all plans of the account.
 * onDelivered: called when a plan appears that was not known before.
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
