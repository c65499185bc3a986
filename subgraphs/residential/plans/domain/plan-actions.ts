// What an owner may do with a plan, and why not. This one table is used by the guard, by availableActions and by the dashboard's disabled buttons.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type ErrorCode, type Reason, because, fail } from '#platform/errors.ts';
import type { PlanStatus } from '../../../../edge/protocol/control-plane.ts';
import type { Product } from './products.ts';

export type PlanAction = 'reset_authentication' | 'set_daily_limit' | 'generate' | 'top_up';

interface ActionRefusal {
  code: ErrorCode;
  reason: Reason;
}

interface ActionRow {
  action: PlanAction;
  /** The refusal by status; absent: allowed. */
  refused: Partial<Record<PlanStatus, ActionRefusal>>;
  /** The refusal for a withdrawn plan, whose rest was taken back. */
  withdrawn?: ActionRefusal;
  /** The refusal for products that do not have the feature. */
  productWithout?: { has: (product: Product) => boolean; refusal: ActionRefusal };
}

const PLAN_ACTIONS: readonly ActionRow[] = [
  {
    // Spec, Dashboard-only features: per active residential plan. A plan that its limit has paused may be reset too: an owner who notices a leak by the limit
    // must be able to stop it.
    action: 'reset_authentication',
    refused: {
      EXPIRED: { code: 'action_not_allowed', reason: because('reset_when_used_up') },
    },
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
  },
  {
    // A plan that is used up can be topped up, and works again.
    action: 'top_up',
    refused: {},
    withdrawn: { code: 'action_not_allowed', reason: because('plan_withdrawn_already') },
  },
];

/** Why the action is not possible now; undefined when it is. */
function refusalOf(action: PlanAction, status: PlanStatus, product: Product, withdrawn: boolean): ActionRefusal | undefined {
  const row = PLAN_ACTIONS.find((candidate) => candidate.action === action);
  if (row?.productWithout && !row.productWithout.has(product)) return row.productWithout.refusal;
  return (withdrawn && row?.withdrawn) || row?.refused[status];
}

/** Throws the refusal, if the action is refused. `withdrawn`: the rest of the plan was taken back. */
export function requireAction(action: PlanAction, status: PlanStatus, product: Product, withdrawn = false): void {
  const refusal = refusalOf(action, status, product, withdrawn);
  if (refusal) throw fail(refusal.code, { reason: refusal.reason });
}

export const availableActions = (status: PlanStatus, product: Product, withdrawn = false): ActionVerdict<PlanAction>[] =>
  PLAN_ACTIONS.map(({ action }) => verdictOf(action, refusalOf(action, status, product, withdrawn)?.reason));
