// What an owner may do with a plan, and why not. The one table feeds the guard, availableActions and the dashboard's disabled buttons.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { fail } from '#platform/errors.ts';
import { type StaticPlanStatus, hasEnded } from './static-plan-lifecycle.ts';

export type StaticPlanAction =
  | 'change_quantity'
  | 'replace'
  | 'set_credentials'
  | 'set_allowed_addresses'
  | 'set_auto_replace'
  | 'set_label';

/** What the rules look at. */
export interface PlanFacts {
  status: StaticPlanStatus;
  cancelAtPeriodEnd: boolean;
  /** Absent: not known yet. */
  periodEnd?: Date | null;
  /** Bought addresses are on their way to it: what it holds is not yet what it pays for. */
  beingChanged?: boolean;
}

type Refusal = string | undefined;
type Rule = (plan: PlanFacts, now: Date) => Refusal;

const mustExist: Rule = ({ status }) => (hasEnded(status) ? 'This plan has ended.' : undefined);
const mustBeDelivered: Rule = (plan, now) =>
  mustExist(plan, now) ?? (plan.status === 'PENDING' ? 'This plan is not delivered yet.' : undefined);
const mustBeActive: Rule = (plan, now) =>
  mustBeDelivered(plan, now) ?? (plan.status === 'SUSPENDED' ? 'This plan is suspended: pay the open invoice to go on.' : undefined);

const mustBeChangeable: Rule = (plan, now) => {
  const refused = mustBeActive(plan, now);
  if (refused) return refused;
  if (plan.cancelAtPeriodEnd) return 'This plan is cancelled at the end of its period: take the cancellation back first.';
  if (plan.beingChanged) return 'Bought addresses are on their way to this plan: change it again when they are there.';
  // Between the end of a period and its renewal there is no period to charge a part of.
  return plan.periodEnd && plan.periodEnd > now ? undefined : 'This plan is being renewed: try again when that is paid.';
};

const RULES: Record<StaticPlanAction, Rule> = {
  change_quantity: mustBeChangeable,
  replace: mustBeActive,
  set_credentials: mustBeDelivered,
  set_allowed_addresses: mustExist,
  set_auto_replace: mustExist,
  set_label: mustBeDelivered,
};

export const STATIC_PLAN_ACTIONS = Object.keys(RULES) as StaticPlanAction[];

/** Throws `action_not_allowed` with the reason, when there is one. */
export function requirePlanAction(action: StaticPlanAction, plan: PlanFacts, now: Date): void {
  const reason = RULES[action](plan, now);
  if (reason) throw fail('action_not_allowed', { reason });
}

export const availablePlanActions = (plan: PlanFacts, now: Date): ActionVerdict<StaticPlanAction>[] =>
  STATIC_PLAN_ACTIONS.map((action) => verdictOf(action, RULES[action](plan, now)));
