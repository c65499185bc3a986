// The callers: the API's token, and one user who signs in with a password for a ticket. Source: pve-http-server 5.1, PVE/APIServer/AnyEvent.pm and PVE/HTTPServer.pm:
// the ticket is sent as the cookie PVEAuthCookie, and a request that changes something also needs the CSRFPreventionToken; a token needs neither.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

export interface Logins {
  /** The caller of this request; undefined when it is not authenticated. */
  userOf(headers: Headers): string | undefined;
  /** Why the request is refused; undefined when it is not. */
  refusal(headers: Headers, method: string): string | undefined;
  /** The answer of POST /access/ticket to the right password; undefined when it is wrong. */
  signIn(given: Record<string, string>): { username: string; ticket: string; CSRFPreventionToken: string } | undefined;
}

const cookieOf = (headers: Headers): string =>
  decodeURIComponent(/(?:^|; *)PVEAuthCookie=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? '');

/** `token`: `user@realm!name=secret`. `consoles`: the user, as `user@realm`, and the password. */
export function createLogins(token: string, consoles: { user: string; password: string }): Logins {
  const tickets = new Map<string, string>();
  const userOf = (headers: Headers): string | undefined => {
    if (isSame(headers.get('authorization') ?? '', `PVEAPIToken=${token}`)) return token.split('=')[0];
    return tickets.has(cookieOf(headers)) ? consoles.user : undefined;
  };
  return {
    userOf,
    refusal(headers, method) {
      if (userOf(headers) === undefined) return headers.has('cookie') ? 'invalid PVE ticket' : 'no such API token';
      const csrf = tickets.get(cookieOf(headers));
      return csrf !== undefined && method !== 'GET' && !isSame(headers.get('csrfpreventiontoken') ?? '', csrf)
        ? 'Permission denied - invalid csrf token'
        : undefined;
    },
    signIn({ username = '', password = '' }) {
      if (!isSame(`${username} ${password}`, `${consoles.user} ${consoles.password}`)) return undefined;
      const ticket = `PVE:${username}:${randomBytes(4).toString('hex').toUpperCase()}::${randomBytes(32).toString('base64')}`;
      const csrf = randomBytes(20).toString('hex');
      tickets.set(ticket, csrf);
      return { username, ticket, CSRFPreventionToken: csrf };
    },
  };
}
