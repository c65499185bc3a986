// Static's part of the interface that proxy nodes call: static plans, their addresses, who may use them, and notices of changes. Nodes get fingerprints of
// passwords, never passwords.
import { hash } from 'node:crypto';
import type { Notifications } from '#platform/notifications.ts';
import { type SealingKeys, unseal } from '#platform/sealing.ts';
import { STATIC_LINES_CHANNEL, type StaticPlansControl } from '../../edge/protocol/control-parts.ts';
import { linesOfPlans } from './plans/entities/plan-line.ts';
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
        ({ planId, username, passwordSealed, oldPasswordsSealed, status, accountSuspended, allowedAddresses, sockets }) => ({
          planId,
          username,
          fingerprint: fingerprintOf(Buffer.from(passwordSealed), providers.sealing, planId),
          oldFingerprints: oldPasswordsSealed.map((sealed) => fingerprintOf(Buffer.from(sealed, 'hex'), providers.sealing, planId)),
          open: status === 'ACTIVE' && !accountSuspended,
          ...(accountSuspended && { suspended: true }),
          // The platform checks lines from outside, as a customer would, so its addresses are always among the allowed clients.
          allowedClients: allowedAddresses.length === 0 ? [] : [...allowedAddresses, ...providers.checksComeFrom],
          endpoints: sockets.map((socket) => {
            const [address = '', port] = socket.split(':');
            return { address, port: Number(port) };
          }),
        }),
      );
    },
    follow: (changed) => notifications.listen(STATIC_LINES_CHANNEL, changed),
  };
}

const fingerprintOf = (sealed: Buffer, sealing: SealingKeys, planId: string): Buffer =>
  hash('sha256', unseal(sealed, sealing, planId), 'buffer');
