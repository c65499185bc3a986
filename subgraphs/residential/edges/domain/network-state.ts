import { SECOND } from '#platform/clock.ts';
import { type ComponentState, stateOfShare } from '#platform/component-state.ts';
import type { EdgeStatus } from '../../../../edge/protocol/control-plane.ts';

/** A node reports its status every five seconds. */
const SILENT_MS = 60 * SECOND;

export interface NodeSeen {
  revokedAt: Date | null;
  drainingSince: Date | null;
  seenAt: Date | null;
  status: Pick<EdgeStatus, 'exitCount' | 'healthyExitCount'> | null;
}

/** The state of the proxy network as customers notice it. A node that should serve them fails when it is silent, or has exits of which none works. */
export function networkState(nodes: readonly NodeSeen[], now: Date): ComponentState {
  const expected = nodes.filter(({ revokedAt, drainingSince }) => revokedAt === null && drainingSince === null);
  const failing = expected.filter(({ seenAt, status }) => {
    const silent = seenAt === null || now.getTime() - seenAt.getTime() > SILENT_MS;
    return silent || (status !== null && status.exitCount > 0 && status.healthyExitCount === 0);
  });
  return stateOfShare(failing.length, expected.length, { degraded: Number.EPSILON, down: 1 });
}
