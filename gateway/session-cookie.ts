import type { IncomingMessage } from 'node:http';

export interface SessionCookie {
  name: string;
  /** The token that the request carries. */
  read(request: IncomingMessage): string | undefined;
  /** A Set-Cookie value; `seconds` until the session ends. */
  set(token: string, seconds: number): string;
  clear(): string;
  /** Another cookie of the same kind, for a step on the way in. */
  beside(what: string): SessionCookie;
}

/** Over https the name has the prefix by which browsers refuse a cookie that another host or plain http has set. */
export function createSessionCookie(https: boolean, what = 'session'): SessionCookie {
  const name = `${https ? '__Host-' : ''}egress_${what}`;
  const attributes = `Path=/; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  return {
    name,
    read({ headers }) {
      for (const pair of headers.cookie?.split(';') ?? []) {
        const at = pair.indexOf('=');
        if (at > 0 && pair.slice(0, at).trim() === name) return decode(pair.slice(at + 1).trim());
      }
      return undefined;
    },
    set: (token, seconds) => `${name}=${encodeURIComponent(token)}; ${attributes}; Max-Age=${Math.max(0, Math.floor(seconds))}`,
    beside: (other) => createSessionCookie(https, other),
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}

function decode(value: string): string | undefined {
  try {
    return decodeURIComponent(value) || undefined;
  } catch {
    return undefined;
  }
}
