// Who is calling. The gateway turns a session or an API key into a Viewer and signs it for the subgraph; a subgraph answers nothing unsigned.
import { createHash, randomBytes } from 'node:crypto';
import { type Clock, SECOND } from './clock.ts';
import { fail } from './errors.ts';
import type { Language } from './language.ts';
import { type SigningKeys, openJson, signJson } from './mac.ts';
import type { StaffPermission } from './staff-permissions.ts';

/** What a key may do. A standard key has `read` and `generate`. */
export type Scope = 'read' | 'generate' | 'servers' | 'billing' | 'webhooks';

/** A member of staff in the place of an account's owner. */
export interface Impersonation {
  /** Their account. */
  by: string;
  /** ISO 8601 instant at which it ends. */
  until: string;
}

/** Where a request comes from. */
export interface Origin {
  /** The client's address as the front saw it. */
  address: string;
  userAgent?: string;
  /** The one that its pages are in, or that it asks for; absent: it names none that there is. */
  language?: Language;
  requestId: string;
}

export type Viewer = Origin &
  (
    | { kind: 'anonymous' }
    /**
     * `permissions`: what a member of staff may do; absent: nothing of the desk. `impersonation`: it is a member of staff who looks at the account, and neither
     * changes anything nor reads a secret.
     */
    | {
        kind: 'session';
        accountId: string;
        sessionId: string;
        staff: boolean;
        permissions?: readonly StaffPermission[];
        impersonation?: Impersonation;
      }
    | { kind: 'key'; accountId: string; keyId: string; scopes: readonly Scope[] }
    /** The platform's own parts: the gateway while it finds out who calls, jobs, commands. Never reachable from outside. */
    | { kind: 'system'; name: string }
  );

/** A page's, as its cookie says. */
export type SessionViewer = Viewer & { kind: 'session' };

export const isImpersonating = (viewer: Viewer): boolean => viewer.kind === 'session' && viewer.impersonation !== undefined;

/** What is shown in place of a secret. */
const HIDDEN = '\u2022'.repeat(8);

/** A secret as this viewer may read it. */
export const secretFor = (viewer: Viewer, secret: () => string): string => (isImpersonating(viewer) ? HIDDEN : secret());

/** How long a signed viewer may travel; both ends are ours, so it covers the way and clock skew: machines need NTP. */
const VALID_MS = 5 * SECOND;

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('base64url');

/** What a signed viewer is for: which subgraph, and the body or address that it comes with. */
export interface Purpose {
  audience: string;
  content: string | Buffer;
}

interface Signed {
  viewer: Viewer;
  at: number;
  audience: string;
  nonce: string;
  content: string;
}

/** `<base64url JSON>.<hmac>`; carried in the header `egress-viewer`. Good once, for one subgraph, one body, five seconds. */
export function signViewer(viewer: Viewer, secret: SigningKeys, clock: Clock, { audience, content }: Purpose): string {
  const signed: Signed = {
    viewer,
    at: clock.now().getTime(),
    audience,
    nonce: randomBytes(12).toString('base64url'),
    content: digest(content),
  };
  return signJson(secret, signed);
}

/**
 * The receiving end of one subgraph in one process. Gives the viewer of a signed header, and with `covers` whether it came with this content. Throws
 * `unsigned_request` when the header is absent, altered, too old (or from the future), for another subgraph, or was shown before.
 */
export function createViewerCheck(secret: SigningKeys, clock: Clock, audience: string): (header: string | undefined) => OpenedViewer {
  const once = createNonces(clock, VALID_MS);
  return (header) => {
    const signed = openJson<Signed>(secret, header ?? '');
    if (signed?.audience !== audience || !once(signed.nonce, signed.at)) throw fail('unsigned_request');
    return {
      viewer: signed.viewer,
      covers(content) {
        if (digest(content) !== signed.content) throw fail('unsigned_request');
      },
    };
  };
}

export interface OpenedViewer {
  viewer: Viewer;
  /** Throws `unsigned_request` when it was signed for another body or address. */
  covers(content: string | Buffer): void;
}

/** Says once of each nonce that it is fresh: signed at most `validMs` ago, or ahead of our clock, and not seen before. */
export function createNonces(clock: Clock, validMs: number): (nonce: string, at: number) => boolean {
  let [young, old] = [new Set<string>(), new Set<string>()];
  let since = Number.NEGATIVE_INFINITY;
  return (nonce, at) => {
    const now = clock.now().getTime();
    if (!(Math.abs(now - at) <= validMs)) return false;
    // Whatever is older than two such spans could not pass any more: a clock that is set back by more forgets no sooner.
    if (Math.abs(now - since) > 2 * validMs) {
      [young, old] = [new Set(), young];
      since = now;
    }
    if (young.has(nonce) || old.has(nonce)) return false;
    young.add(nonce);
    return true;
  };
}

/** The viewer of the platform's own parts. */
export const systemViewer = (name: string, requestId: string): Viewer => ({ kind: 'system', name, address: 'internal', requestId });

/** The channel on which every gateway hears that a key or a session means something else now. */
export const ACCESS_CHANNEL = 'egress_access';
