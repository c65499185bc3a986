// What an owner may do with a plan, and why not. The one table feeds the guard, availableActions and the dashboard's disabled buttons.
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
  /** The refusal of a plan that is over for good: what was left of it is taken back. */
  withdrawn?: ActionRefusal;
  /** The refusal for products without it. */
  productWithout?: { has: (product: Product) => boolean; refusal: ActionRefusal };
}

const PLAN_ACTIONS: readonly ActionRow[] = [
  {
    // Spec, Dashboard-only features: per active residential plan. One that its limit has paused is not over: who finds a leak by the limit must be able
    // to stop it.
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
    // One that is used up works again.
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

/** Throws the refusal, when there is one. `withdrawn`: what was left of it is taken back. */
export function requireAction(action: PlanAction, status: PlanStatus, product: Product, withdrawn = false): void {
  const refusal = refusalOf(action, status, product, withdrawn);
  if (refusal) throw fail(refusal.code, { reason: refusal.reason });
}

export const availableActions = (status: PlanStatus, product: Product, withdrawn = false): ActionVerdict<PlanAction>[] =>
  PLAN_ACTIONS.map(({ action }) => verdictOf(action, refusalOf(action, status, product, withdrawn)?.reason));
