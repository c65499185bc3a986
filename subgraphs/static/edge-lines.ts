// Static plans as proxy nodes see them: addresses, who may use them, and news of both. Nodes get fingerprints, never passwords.
import { hash } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { createViewerCheck } from '#platform/identity.ts';
import type { Notifications } from '#platform/notifications.ts';
import { unseal } from '#platform/secrets.ts';
import type { Route } from '#platform/route.ts';
import { VIEWER_HEADER } from '#platform/serve.ts';
import { linesOfPlans } from './plans/entities/plan-line.ts';
import type { StaticContext } from './providers.ts';

/** The triggers of migration 0028 tell the plan's id here. */
const LINES_CHANNEL = 'egress_static_lines';

export interface EdgeLinesOptions {
  /** A fresh context of the platform's own for each call. */
  context: () => StaticContext;
  notifications: Notifications;
}

/** The source that the control of proxy nodes takes. */
export function createEdgeLines({ context, notifications }: EdgeLinesOptions) {
  return {
    /** Of all plans that have addresses, or of these. A suspended plan keeps its addresses and is not open. */
    async plans(ids?: readonly string[]) {
      const { em, providers } = context();
      return (await linesOfPlans(em, ids)).map(
        ({ planId, username, passwordSealed, oldPasswordsSealed, status, allowedAddresses, sockets }) => ({
          planId,
          username,
          fingerprint: fingerprintOf(Buffer.from(passwordSealed), providers.sealing, planId),
          oldFingerprints: oldPasswordsSealed.map((sealed) => fingerprintOf(Buffer.from(sealed, 'hex'), providers.sealing, planId)),
          open: status === 'ACTIVE',
          // The platform checks the lines from outside like a customer, whatever clients the owner allows.
          allowedClients: allowedAddresses.length === 0 ? [] : [...allowedAddresses, ...providers.checksComeFrom],
          endpoints: sockets.map((socket) => {
            const [address = '', port] = socket.split(':');
            return { address, port: Number(port) };
          }),
        }),
      );
    },
    /** Calls with the id of every plan whose lines may have changed. Returns how to stop. */
    follow: (changed: (planId: string) => void): Promise<() => void> =>
      notifications.listen(LINES_CHANNEL, (planId) => {
        if (planId !== undefined) changed(planId);
      }),
  };
}

const fingerprintOf = (sealed: Buffer, sealing: Buffer, planId: string): Buffer =>
  hash('sha256', unseal(sealed, sealing, planId), 'buffer');

/** `GET /edge-lines?id=` for the platform's own parts: their calls are signed with the secret of all subgraphs' processes. */
export function createEdgeLinesRoute(lines: ReturnType<typeof createEdgeLines>, secret: string, clock: Clock): Route {
  const opened = createViewerCheck(secret, clock, 'static');
  return {
    matches: (pathname) => pathname === '/edge-lines',
    async handle(request, response, { url }) {
      const header = request.headers[VIEWER_HEADER];
      const { viewer, covers } = opened(typeof header === 'string' ? header : undefined);
      covers(`${url.pathname}${url.search}`);
      if (viewer.kind !== 'system') throw fail('forbidden');
      const ids = url.searchParams.getAll('id');
      const plans = await lines.plans(ids.length > 0 ? ids : undefined);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(
        JSON.stringify(
          plans.map((plan) => ({
            ...plan,
            fingerprint: plan.fingerprint.toString('hex'),
            oldFingerprints: plan.oldFingerprints.map((old) => old.toString('hex')),
          })),
        ),
      );
    },
  };
}
