import { type Reason, because } from './errors.ts';
import { type Viewer, memberOf } from './identity.ts';
import { type TeamPermission, mayInTeam } from './team-permissions.ts';

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

/** The verdicts for a viewer: what the role of a member of a team does not include is refused for that. `needed`: the permission that an action needs. */
export function verdictsFor<Action extends string>(
  viewer: Viewer,
  verdicts: readonly ActionVerdict<Action>[],
  needed: (action: Action) => TeamPermission,
): ActionVerdict<Action>[] {
  const member = memberOf(viewer);
  if (!member) return [...verdicts];
  return verdicts.map((verdict) =>
    mayInTeam(member, needed(verdict.action)) ? verdict : verdictOf(verdict.action, because('team_role_without_it')),
  );
}
