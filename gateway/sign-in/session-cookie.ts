import type { IncomingMessage } from 'node:http';

export interface SessionCookie {
  name: string;
  /** The token in the request's cookie. */
  read(request: IncomingMessage): string | undefined;
  /** A Set-Cookie value; `seconds` until the session ends. */
  set(token: string, seconds: number): string;
  clear(): string;
  /** Another cookie with the same attributes, for a step of the sign-in. */
  beside(what: string): SessionCookie;
}

/** Over https the name has the prefix `__Host-`, with which browsers refuse a cookie that another host or plain http has set. */
export function createSessionCookie(https: boolean, what = 'session'): SessionCookie {
  const name = `${https ? '__Host-' : ''}egress_${what}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  return {
    name,
    read({ headers }) {
      for (const pair of headers.cookie?.split(';') ?? []) {
        const at = pair.indexOf('=');
        if (at > 0 && pair.slice(0, at).trim() === name) return tokenOf(pair.slice(at + 1).trim());
      }
      return undefined;
    },
    set: (token, seconds) => `${name}=${encodeURIComponent(token)}; ${attributes}; Max-Age=${Math.max(0, Math.floor(seconds))}`,
    beside: (other) => createSessionCookie(https, other),
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

/** The cookie by which a page acts: that of an impersonation while it lasts, else that of the session. */
export function createPageCookie(session: SessionCookie): Pick<SessionCookie, 'read'> {
  const impersonation = session.beside('impersonation');
  return { read: (request) => impersonation.read(request) ?? session.read(request) };
}

/** Far longer than any token that was ever set; a longer one is neither looked up nor cached. */
const TOKEN_CHARACTERS = 512;

function tokenOf(value: string): string | undefined {
  if (value.length > TOKEN_CHARACTERS) return undefined;
  try {
    // A copy: a slice would keep the whole string in memory, here all cookies of the request, for as long as the connection is open.
    return Buffer.from(decodeURIComponent(value)).toString() || undefined;
  } catch {
    return undefined;
  }
}
