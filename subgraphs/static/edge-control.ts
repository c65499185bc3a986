// Static's part of the interface that proxy nodes call: static plans, their addresses, who may use them, and notices of changes. Nodes get fingerprints of
// passwords, never passwords.
import { hash } from 'node:crypto';
import type { Notifications } from '#platform/notifications.ts';
import { type SealingKeys, unseal } from '#platform/sealing.ts';
import { STATIC_LINES_CHANNEL, type StaticPlansControl } from '../../edge/protocol/control-parts.ts';
import type { StaticEndpoint } from '../../edge/protocol/static-plan.ts';
import { type PlanLinesRow, linesOfPlans } from './plans/entities/plan-line.ts';
import { noteUsed } from './plans/entities/plan-network.ts';
import type { StaticContext } from './providers.ts';

export interface EdgeControlOptions {
  /** Makes a new context of the platform's own for each call. */
  context: () => StaticContext;
  notifications: Notifications;
}

/** A suspended plan, or one of a suspended account, keeps its addresses but is not open. */
export function createStaticPlansControl({ context, notifications }: EdgeControlOptions): StaticPlansControl {
  return {
    async staticPlans(ids) {
      const { em, providers } = context();
      return (await linesOfPlans(em, ids)).map(
        ({ planId, username, passwordSealed, oldPasswordsSealed, status, accountSuspended, allowedAddresses, ...row }) => ({
          planId,
          username,
          fingerprint: fingerprintOf(Buffer.from(passwordSealed), providers.sealing, planId),
          oldFingerprints: oldPasswordsSealed.map((sealed) => fingerprintOf(Buffer.from(sealed, 'hex'), providers.sealing, planId)),
          open: status === 'ACTIVE' && !accountSuspended,
          ...(accountSuspended && { suspended: true }),
          ...(row.networksAndPassword && { networksAndPassword: true }),
          // The platform checks lines from outside, as a customer would, so its addresses are always among the allowed clients.
          allowedClients:
            allowedAddresses.length === 0 && !row.networksAndPassword ? [] : [...allowedAddresses, ...providers.checksComeFrom],
          endpoints: row.sockets.map((socket) => toEndpoint(socket, row.networks, providers.secure?.port)),
        }),
      );
    },
    async networksUsed(ids) {
      const { em, clock } = context();
      await noteUsed(em, ids, clock.now());
    },
    follow: (changed) => notifications.listen(STATIC_LINES_CHANNEL, changed),
  };
}

/** A line as nodes are told of it, with the networks that are let in there. */
function toEndpoint(socket: string, networks: PlanLinesRow['networks'], securePort: number | undefined): StaticEndpoint {
  const [address = '', port] = socket.split(':');
  const here = networks.flatMap(({ id, network, ip }) => (ip === null || ip === address ? [{ id, network }] : []));
  return { address, port: Number(port), ...(securePort !== undefined && { securePort }), ...(here.length > 0 && { networks: here }) };
}

const fingerprintOf = (sealed: Buffer, sealing: SealingKeys, planId: string): Buffer =>
  hash('sha256', unseal(sealed, sealing, planId), 'buffer');
