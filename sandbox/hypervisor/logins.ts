// The callers: the API's token, and one user who signs in with a password for a ticket. Source: pve-http-server 5.1, PVE/APIServer/AnyEvent.pm and PVE/HTTPServer.pm:
// the ticket is sent as the cookie PVEAuthCookie, and a request that changes something also needs the CSRFPreventionToken; a token needs neither.
import type { HypervisorState } from './state.ts';
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
export function createLogins(state: HypervisorState, token: string, consoles: { user: string; password: string }): Logins {
  const tickets = new Map<string, { user: string; csrf: string }>();
  /** Tokens and users that `pveum` has made are callers too. */
  const made = () => Object.entries(state.access?.tokens ?? {}).map(([name, secret]) => `${name}=${secret}`);
  const isPassword = (username: string, password: string): boolean => {
    const known = username === consoles.user ? (state.access?.users[username] ?? consoles.password) : state.access?.users[username];
    return typeof known === 'string' && isSame(password, known);
  };
  const userOf = (headers: Headers): string | undefined => {
    const known = [token, ...made()].find((one) => isSame(headers.get('authorization') ?? '', `PVEAPIToken=${one}`));
    return known === undefined ? tickets.get(cookieOf(headers))?.user : known.split('=')[0];
  };
  return {
    userOf,
    refusal(headers, method) {
      if (userOf(headers) === undefined) return headers.has('cookie') ? 'invalid PVE ticket' : 'no such API token';
      const csrf = tickets.get(cookieOf(headers))?.csrf;
      return csrf !== undefined && method !== 'GET' && !isSame(headers.get('csrfpreventiontoken') ?? '', csrf)
        ? 'Permission denied - invalid csrf token'
        : undefined;
    },
    signIn({ username = '', password = '' }) {
      if (!isPassword(username, password)) return undefined;
      const ticket = `PVE:${username}:${randomBytes(4).toString('hex').toUpperCase()}::${randomBytes(32).toString('base64')}`;
      const csrf = randomBytes(20).toString('hex');
      tickets.set(ticket, { user: username, csrf });
      return { username, ticket, CSRFPreventionToken: csrf };
    },
  };
}
