// Who is calling. The gateway turns a session or an API key into a Viewer and signs it for the subgraph; a subgraph answers no unsigned request.
import { hash, randomUUID } from 'node:crypto';
import { type Clock, SECOND } from './clock.ts';
import { fail } from './errors.ts';
import type { Language } from './language.ts';
import { type SigningKeys, openJson, signJson } from './mac.ts';
import type { StaffPermission } from './staff-permissions.ts';
import { type Member, type TeamPermission, mayInTeam } from './team-permissions.ts';

/** What an API key may do. A standard key has `read` and `generate`. */
export const SCOPES = ['read', 'generate', 'plans', 'servers', 'billing', 'webhooks'] as const;
export type Scope = (typeof SCOPES)[number];

/** A member of staff who views a customer's account as its owner sees it. */
export interface Impersonation {
  /** The staff member's account. */
  by: string;
  /** ISO 8601 instant at which it ends. */
  until: string;
}

/** The origin of a request. */
export interface Origin {
  /** The client's address as the public port saw it. */
  address: string;
  userAgent?: string;
  /** The language of the reader's pages, or the one that the request asks for; absent: it names no known one. */
  language?: Language;
  requestId: string;
}

export type Viewer = Origin &
  (
    | { kind: 'anonymous' }
    /**
     * `permissions`: what a member of staff may do; absent: nothing at the support desk. `impersonation`: a member of staff looks at the account, and may
     * neither change anything nor read a secret. `member`: a person of a team acts in its account, which is `accountId`.
     */
    | {
        kind: 'session';
        accountId: string;
        sessionId: string;
        staff: boolean;
        permissions?: readonly StaffPermission[];
        impersonation?: Impersonation;
        member?: Member;
      }
    /** `documentsOnly`: over GraphQL it asks documents alone that its account has registered. */
    | { kind: 'key'; accountId: string; keyId: string; scopes: readonly Scope[]; documentsOnly?: boolean }
    /** Internal callers: the gateway while it resolves an identity, jobs, commands. Never reachable from outside. */
    | { kind: 'system'; name: string }
  );

/** The viewer of a page with a session cookie. */
export type SessionViewer = Viewer & { kind: 'session' };

export const isImpersonating = (viewer: Viewer): boolean => viewer.kind === 'session' && viewer.impersonation !== undefined;

/** Whoever acts in the account of a team; undefined for everybody in an account of their own. */
export const memberOf = (viewer: Viewer): Member | undefined => (viewer.kind === 'session' ? viewer.member : undefined);

/**
 * Whether the viewer is a signed-in person who may do this: in the account of a team one whose role there has the permission; `true`: in their own account
 * alone.
 */
export function isPerson(viewer: Viewer, permission: true | TeamPermission): boolean {
  const member = memberOf(viewer);
  return viewer.kind === 'session' && (!member || (permission !== true && mayInTeam(member, permission)));
}

/** Whether the viewer has access to a plan, a proxy user or a server of the account: a member may be kept to some. */
export const mayReach = (viewer: Viewer, ...ids: readonly string[]): boolean => {
  const only = memberOf(viewer)?.only;
  return only === undefined || ids.some((id) => only.includes(id));
};

/** Shown instead of a secret. */
const HIDDEN = '\u2022'.repeat(8);

/** The secret of proxy lines, or its placeholder for a viewer who may not read it: whoever reads it can use the lines. */
export function secretFor(viewer: Viewer, secret: () => string): string {
  const member = memberOf(viewer);
  return isImpersonating(viewer) || (member && !mayInTeam(member, 'generate')) ? HIDDEN : secret();
}

/** How long a signed viewer is valid. Both ends are ours, so it only covers transport and clock skew: machines need NTP. */
const VALID_MS = 5 * SECOND;

const digest = (content: string | Buffer) => hash('sha256', content, 'base64url');

/** What a signed viewer is valid for: a subgraph, and the request body or address that it comes with. */
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

/** `<base64url JSON>.<hmac>`, for the header `egress-viewer`. Valid once, for one subgraph, one content and five seconds. */
export function signViewer(viewer: Viewer, secret: SigningKeys, clock: Clock, { audience, content }: Purpose): string {
  const signed: Signed = {
    viewer,
    at: clock.now().getTime(),
    audience,
    nonce: randomUUID(),
    content: digest(content),
  };
  return signJson(secret, signed);
}

/**
 * Checks signed viewers for one subgraph in one process. Returns the viewer of a header, and `covers`, which checks the content. Throws `unsigned_request` when
 * the header is absent, altered, too old (or from the future), meant for another subgraph, or was used before.
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
  /** Throws `unsigned_request` when the viewer was signed for another body or address. */
  covers(content: string | Buffer): void;
}

/** Returns true once per nonce: when it was signed within `validMs` of our clock, before or after it, and not seen before. */
export function createNonces(clock: Clock, validMs: number): (nonce: string, at: number) => boolean {
  let [young, old] = [new Set<string>(), new Set<string>()];
  let since = Number.NEGATIVE_INFINITY;
  return (nonce, at) => {
    const now = clock.now().getTime();
    if (!(Math.abs(now - at) <= validMs)) return false;
    // A nonce older than two such spans would be refused anyway; a clock that is set back does not make it forgotten sooner.
    if (Math.abs(now - since) > 2 * validMs) {
      [young, old] = [new Set(), young];
      since = now;
    }
    if (young.has(nonce) || old.has(nonce)) return false;
    young.add(nonce);
    return true;
  };
}

/** The viewer of internal callers. */
export const systemViewer = (name: string, requestId: string): Viewer => ({ kind: 'system', name, address: 'internal', requestId });

/** The channel on which every gateway is notified that a key or a session has changed. */
export const ACCESS_CHANNEL = 'egress_access';
