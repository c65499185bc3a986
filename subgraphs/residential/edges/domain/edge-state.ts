// The state of a proxy node, derived from its row, and what support may do with it in that state.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { SECOND } from '#platform/clock.ts';
import { type Reason, because, fail } from '#platform/errors.ts';

export const EDGE_STATES = ['ONLINE', 'DRAINING', 'SILENT', 'NEW', 'REVOKED'] as const;
export type EdgeState = (typeof EDGE_STATES)[number];

export interface EdgeFacts {
  /** Null: the node inside the platform's own process, which has no key. */
  keyHash: string | null;
  seenAt: Date | null;
  revokedAt: Date | null;
  drainingSince: Date | null;
}

/** A node reports its status every five seconds. */
const SILENT_MS = 20 * SECOND;

export function edgeStateOf({ revokedAt, seenAt, drainingSince }: EdgeFacts, now: Date): EdgeState {
  if (revokedAt) return 'REVOKED';
  if (!seenAt) return 'NEW';
  if (now.getTime() - seenAt.getTime() > SILENT_MS) return 'SILENT';
  return drainingSince ? 'DRAINING' : 'ONLINE';
}

export type EdgeAction = 'drain' | 'resume' | 'revoke';

/** The reason why an action is refused; undefined: it is allowed. */
const REFUSALS: Record<EdgeAction, (edge: EdgeFacts) => Reason | undefined> = {
  drain: ({ revokedAt, drainingSince }) => (revokedAt ? because('edge_key_revoked') : drainingSince ? because('edge_draining') : undefined),
  resume: ({ revokedAt, drainingSince }) =>
    revokedAt ? because('edge_key_revoked') : drainingSince ? undefined : because('edge_not_draining'),
  revoke: ({ revokedAt, keyHash }) =>
    revokedAt ? because('edge_key_revoked') : keyHash === null ? because('edge_without_key') : undefined,
};

/** Throws `action_not_allowed`. */
export function requireEdgeAction(action: EdgeAction, edge: EdgeFacts): void {
  const reason = REFUSALS[action](edge);
  if (reason !== undefined) throw fail('action_not_allowed', { reason });
}

export const availableEdgeActions = (edge: EdgeFacts): ActionVerdict<EdgeAction>[] =>
  (['drain', 'resume', 'revoke'] as const).map((action) => verdictOf(action, REFUSALS[action](edge)));
