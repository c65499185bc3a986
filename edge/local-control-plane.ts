// The control plane of a node that runs inside the platform's process.
import type { ControlPlane } from './protocol/control-plane.ts';
import { type PlansControl, type StaticPlansControl, followParts } from './protocol/control-parts.ts';

/** Without `staticPlans` no static plans are served. */
export interface LocalParts {
  plans: PlansControl;
  staticPlans?: StaticPlansControl | undefined;
}

/** `edgeId`: the id of the node, which the ledger already has. */
export function localControlPlane(parts: LocalParts, edgeId: string): ControlPlane {
  const { plans, staticPlans } = parts;
  return {
    plan: async (username) => (await plans.plans([username]))[0],
    sync: (request) => plans.sync(edgeId, request),
    staticPlans: async (ids) => (await staticPlans?.staticPlans(ids)) ?? [],
    ...(plans.gateways && { gateways: async () => [...((await plans.gateways?.()) ?? [])] }),
    ...(plans.networks && { networks: async () => [...((await plans.networks?.()) ?? [])] }),
    ...(plans.logRequests && { logRequests: async (batch) => plans.logRequests?.(edgeId, batch) }),
    claim: (claims) => plans.claim(claims),
    async report({ staticNetworksUsed = [], ...status }) {
      const answer = await plans.report(edgeId, status);
      await staticPlans?.networksUsed?.(staticNetworksUsed);
      return answer;
    },
    follow(listener) {
      let stop: (() => void) | undefined;
      let stopped = false;
      followParts(parts, listener).then(
        (stopFollowing) => {
          if (stopped) stopFollowing();
          else stop = stopFollowing;
        },
        () => listener.lost(),
      );
      return () => {
        stopped = true;
        stop?.();
      };
    },
  };
}
