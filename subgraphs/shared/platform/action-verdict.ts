import type { Reason } from './errors.ts';

/** What can be done to a thing now, and why not: plans, nodes, subscriptions and servers alike. */
export interface ActionVerdict<Action extends string = string> {
  action: Action;
  allowed: boolean;
  /** Null exactly when it is allowed. */
  reason: Reason | null;
}

/** `reason`: why it is not possible now; nothing where it is. */
export const verdictOf = <Action extends string>(action: Action, reason: Reason | null | undefined): ActionVerdict<Action> => ({
  action,
  allowed: (reason ?? null) === null,
  reason: reason ?? null,
});
