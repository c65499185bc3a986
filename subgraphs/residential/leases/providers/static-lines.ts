// Static plans for proxy nodes where static runs in a process of its own: asked for over HTTP, signed as every call between subgraphs' processes is.
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { signViewer, systemViewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import type { Notifications } from '#platform/notifications.ts';
import { VIEWER_HEADER } from '#platform/serve.ts';
import type { StaticLineSource } from '../../edge-control.ts';

/** The database tells a plan's id here when its lines have changed. */
const LINES_CHANNEL = 'egress_static_lines';
const TIMEOUT_MS = 5_000;

const shape = z.array(
  z.object({
    planId: z.string(),
    username: z.string(),
    fingerprint: z.hex().transform((text) => Buffer.from(text, 'hex')),
    oldFingerprints: z.array(z.hex().transform((text) => Buffer.from(text, 'hex'))).default([]),
    open: z.boolean(),
    allowedClients: z.array(z.string()),
    endpoints: z.array(z.object({ address: z.string(), port: z.number().int() })),
  }),
);

export interface RemoteStaticLinesOptions {
  /** Where static answers, as SUBGRAPH_URLS names it. */
  url: string;
  /** What both processes sign with. */
  secret: string;
  clock: Clock;
  notifications: Notifications;
}

export function remoteStaticLines({ url, secret, clock, notifications }: RemoteStaticLinesOptions): StaticLineSource {
  return {
    async plans(ids = []) {
      const address = new URL('/edge-lines', url);
      for (const id of ids) address.searchParams.append('id', id);
      const viewer = systemViewer('residential edges', newId('req', clock));
      const response = await fetch(address, {
        headers: {
          [VIEWER_HEADER]: signViewer(viewer, secret, clock, { audience: 'static', content: `${address.pathname}${address.search}` }),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`static answered ${response.status}`);
      return shape.parse(await response.json());
    },
    follow: (changed) =>
      notifications.listen(LINES_CHANNEL, (planId) => {
        if (planId !== undefined) changed(planId);
      }),
  };
}
