// Who is calling. The gateway turns a session or an API key into a Viewer and signs it for the subgraph; a subgraph answers nothing unsigned.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, SECOND } from './clock.ts';
import { fail } from './errors.ts';

/** What a key may do. A standard key has `read` and `generate`. */
export type Scope = 'read' | 'generate' | 'servers' | 'billing';

interface Origin {
  /** The client's address as the front saw it. */
  address: string;
  userAgent?: string;
  requestId: string;
}

export type Viewer = Origin &
  (
    | { kind: 'anonymous' }
    | { kind: 'session'; accountId: string; sessionId: string; staff: boolean }
    | { kind: 'key'; accountId: string; keyId: string; scopes: readonly Scope[] }
    /** The platform's own parts: the gateway while it finds out who calls, jobs, commands. Never reachable from outside. */
    | { kind: 'system'; name: string }
  );

/** How long a signed viewer may travel; both ends are ours, so it covers clock skew only. */
const VALID_MS = 30 * SECOND;

const mac = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('base64url');

/** `<base64url JSON>.<hmac>`; carried in the header `egress-viewer`. */
export function signViewer(viewer: Viewer, secret: string, clock: Clock): string {
  const body = Buffer.from(JSON.stringify({ viewer, at: clock.now().getTime() })).toString('base64url');
  return `${body}.${mac(secret, body)}`;
}

/** The viewer of a signed header. Throws `unsigned_request` when it is absent, altered or too old (or from the future). */
export function verifyViewer(header: string | undefined, secret: string, clock: Clock): Viewer {
  const [body, signature] = header?.split('.') ?? [];
  if (body === undefined || signature === undefined) throw fail('unsigned_request');
  const expected = Buffer.from(mac(secret, body));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw fail('unsigned_request');
  const { viewer, at } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { viewer: Viewer; at: number };
  if (Math.abs(clock.now().getTime() - at) > VALID_MS) throw fail('unsigned_request');
  return viewer;
}

/** The viewer of the platform's own parts. */
export const systemViewer = (name: string, requestId: string): Viewer => ({ kind: 'system', name, address: 'internal', requestId });

/** The channel on which every gateway hears that a key or a session means something else now. */
export const ACCESS_CHANNEL = 'egress_access';
