import type { Reason } from './errors.ts';

/** Whether an action on a plan, node, subscription or server is possible now, and if not, why. */
export interface ActionVerdict<Action extends string = string> {
  action: Action;
  allowed: boolean;
  /** Null exactly when it is allowed. */
  reason: Reason | null;
}

/** `reason`: why the action is not possible now; null or undefined when it is possible. */
export const verdictOf = <Action extends string>(action: Action, reason: Reason | null | undefined): ActionVerdict<Action> => ({
  action,
  allowed: (reason ?? null) === null,
  reason: reason ?? null,
});
