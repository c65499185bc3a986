// Residential's part of the interface that proxy nodes call: their identity, residential plans, leases of bandwidth, sticky sessions, status reports.
import type { Notifications } from '#platform/notifications.ts';
import type { PlanChange } from '../../edge/protocol/control-plane.ts';
import type { PlansControl } from '../../edge/protocol/control-parts.ts';
import { GATEWAY_CHANNEL } from './gateways/entities/gateway.ts';
import { gatewaysForNodes } from './gateways/services/node-gateways.ts';
import { NETWORK_CHANNEL, networksForNodes, noteUsed } from './networks/entities/client-network.ts';
import { PLAN_CHANNEL } from './leases/entities/lease.ts';
import type { Context } from './providers.ts';
import { edgeOfKey, planFacts } from './edges/services/edges.ts';
import { receiveEdgeStatus } from './edges/services/edge-desk.ts';
import { syncLeases } from './leases/services/leases.ts';
import { receiveRequests } from './requests/services/receive-requests.ts';
import { claimStickySessions } from './leases/services/sticky-sessions.ts';

export interface EdgeControlOptions {
  /** Makes a new context of the platform's own for each call. */
  context: () => Context;
  notifications: Notifications;
}

export const createPlansControl = ({ context, notifications }: EdgeControlOptions): PlansControl => ({
  edgeOf: (key) => edgeOfKey(context(), key),
  plans(usernames) {
    const ctx = context();
    return Promise.all(usernames.map((username) => planFacts(ctx, username)));
  },
  sync: (edgeId, request) => syncLeases(context(), edgeId, request),
  claim: (claims) => claimStickySessions(context(), claims),
  async report(edgeId, { networksUsed = [], ...status }) {
    const ctx = context();
    await noteUsed(ctx.em, networksUsed, ctx.clock.now());
    return receiveEdgeStatus(ctx, edgeId, status);
  },
  logRequests: (edgeId, batch) => receiveRequests(context(), edgeId, batch),
  gateways: () => gatewaysForNodes(context()),
  followGateways: (changed) => notifications.listen(GATEWAY_CHANNEL, () => changed()),
  networks: () => networksForNodes(context().em),
  followNetworks: (changed) => notifications.listen(NETWORK_CHANNEL, () => changed()),
  follow: (changed) =>
    notifications.listen(PLAN_CHANNEL, (payload) => changed(payload === undefined ? undefined : (JSON.parse(payload) as PlanChange))),
});
