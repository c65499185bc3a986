// What an owner may do with a plan, and why not. This one table is used by the guard, by availableActions and by the dashboard's disabled buttons.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type ErrorCode, type Reason, because, fail } from '#platform/errors.ts';
import type { TeamPermission } from '#platform/team-permissions.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import { type PlanEnd, type UsageFacts, planEndOf, statusOf } from './plan-status.ts';
import type { Product } from './products.ts';

export type PlanAction = 'reset_authentication' | 'set_daily_limit' | 'generate' | 'top_up';

/** What a member of a team needs for an action. */
export const permissionFor = (action: PlanAction): TeamPermission =>
  action === 'top_up' ? 'pay' : action === 'generate' ? 'generate' : 'plans';

interface ActionRefusal {
  code: ErrorCode;
  reason: Reason;
}

interface ActionRow {
  action: PlanAction;
  /** The refusal by status; absent: allowed. */
  refused: Partial<Record<PlanStatus, ActionRefusal>>;
  /** The refusal for a plan that is over for this reason, before that of its status. */
  ended?: Partial<Record<PlanEnd, ActionRefusal>>;
  /** The refusal for products that do not have the feature. */
  productWithout?: { has: (product: Product) => boolean; refusal: ActionRefusal };
}

const LAPSED = because('plan_lapsed');

const PLAN_ACTIONS: readonly ActionRow[] = [
  {
    // Spec, Dashboard-only features: per active residential plan. A plan that its limit has paused may be reset too: an owner who notices a leak by the limit
    // must be able to stop it.
    action: 'reset_authentication',
    refused: {
      EXPIRED: { code: 'action_not_allowed', reason: because('reset_when_used_up') },
    },
    ended: { LAPSED: { code: 'action_not_allowed', reason: LAPSED } },
  },
  {
    // Spec, Limits: Premium residential plans only, in any status.
    action: 'set_daily_limit',
    refused: {},
    productWithout: {
      has: (product) => product.dailyLimitAvailable,
      refusal: { code: 'limit_not_available', reason: because('daily_limit_premium_only') },
    },
  },
  {
    // Spec is silent: a paused plan may generate, since it costs no bandwidth.
    action: 'generate',
    refused: { EXPIRED: { code: 'plan_expired', reason: because('plan_used_up') } },
    ended: { LAPSED: { code: 'plan_expired', reason: LAPSED } },
  },
  {
    // A plan that is used up can be topped up, and works again. One whose validity is over is over for good: what was left would come back, or look lost.
    action: 'top_up',
    refused: {},
    ended: {
      WITHDRAWN: { code: 'action_not_allowed', reason: because('plan_withdrawn_already') },
      LAPSED: { code: 'action_not_allowed', reason: LAPSED },
    },
  },
];

/** Why the action is not possible now; undefined when it is. */
function refusalOf(action: PlanAction, status: PlanStatus, product: Product, end: PlanEnd | null): ActionRefusal | undefined {
  const row = PLAN_ACTIONS.find((candidate) => candidate.action === action);
  if (row?.productWithout && !row.productWithout.has(product)) return row.productWithout.refusal;
  return (end !== null && row?.ended?.[end]) || row?.refused[status];
}

/** Throws the refusal, if the action is refused. */
export function requireAction(action: PlanAction, plan: UsageFacts, product: Product): void {
  const refusal = refusalOf(action, statusOf(plan), product, planEndOf(plan));
  if (refusal) throw fail(refusal.code, { reason: refusal.reason });
}

/** `end`: why the plan is over, if it is. */
export const availableActions = (status: PlanStatus, product: Product, end: PlanEnd | null = null): ActionVerdict<PlanAction>[] =>
  PLAN_ACTIONS.map(({ action }) => verdictOf(action, refusalOf(action, status, product, end)?.reason));
