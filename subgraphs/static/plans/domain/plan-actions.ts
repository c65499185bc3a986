// What an owner may do with a plan, and why not. This one table is used by the guard, by availableActions and by the dashboard's disabled buttons.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import type { TeamPermission } from '#platform/team-permissions.ts';
import { type StaticPlanStatus, hasEnded } from './static-plan-lifecycle.ts';

export type StaticPlanAction =
  | 'change_quantity'
  | 'replace'
  | 'set_credentials'
  | 'set_allowed_addresses'
  | 'set_networks'
  | 'set_auto_replace'
  | 'set_label';

/** What a member of a team needs for an action. */
export const permissionFor = (action: StaticPlanAction): TeamPermission => (action === 'change_quantity' ? 'pay' : 'plans');

/** The facts that the rules depend on. */
export interface PlanFacts {
  status: StaticPlanStatus;
  cancelAtPeriodEnd: boolean;
  /** Absent: unknown so far. */
  periodEnd?: Date | null;
  /** Bought addresses are not delivered yet, so the plan holds fewer than it pays for. */
  beingChanged?: boolean;
}

type Refusal = Reason | undefined;
type Rule = (plan: PlanFacts, now: Date) => Refusal;

const mustExist: Rule = ({ status }) => (hasEnded(status) ? because('plan_ended') : undefined);
const mustBeDelivered: Rule = (plan, now) =>
  mustExist(plan, now) ?? (plan.status === 'PENDING' ? because('plan_not_delivered') : undefined);
const mustBeActive: Rule = (plan, now) =>
  mustBeDelivered(plan, now) ?? (plan.status === 'SUSPENDED' ? because('plan_suspended') : undefined);

const mustBeChangeable: Rule = (plan, now) => {
  const refused = mustBeActive(plan, now);
  if (refused) return refused;
  if (plan.cancelAtPeriodEnd) return because('plan_cancelled');
  if (plan.beingChanged) return because('plan_being_changed');
  // Between the end of a period and its renewal there is no period of which a part could be charged.
  return plan.periodEnd && plan.periodEnd > now ? undefined : because('plan_being_renewed');
};

const RULES: Record<StaticPlanAction, Rule> = {
  change_quantity: mustBeChangeable,
  replace: mustBeActive,
  set_credentials: mustBeDelivered,
  set_allowed_addresses: mustExist,
  set_networks: mustExist,
  set_auto_replace: mustExist,
  set_label: mustBeDelivered,
};

export const STATIC_PLAN_ACTIONS = Object.keys(RULES) as StaticPlanAction[];

/** Throws `action_not_allowed` if there is a reason against the action. */
export function requirePlanAction(action: StaticPlanAction, plan: PlanFacts, now: Date): void {
  const reason = RULES[action](plan, now);
  if (reason) throw fail('action_not_allowed', { reason });
}

export const availablePlanActions = (plan: PlanFacts, now: Date): ActionVerdict<StaticPlanAction>[] =>
  STATIC_PLAN_ACTIONS.map((action) => verdictOf(action, RULES[action](plan, now)));
