// What all ways to sign in have in common: requests to accounts as the visitor, and the cookies for the browser.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Askable, askerOf } from '#platform/ask.ts';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { type Call, originOf } from '#platform/route.ts';
import type { SessionCookie } from './session-cookie.ts';

/** One request of a browser during the sign-in. `body` is empty for GET. */
export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  call: Call;
  body: Record<string, unknown>;
}

export interface Step {
  method: 'GET' | 'POST';
  run(visit: Visit): Promise<void>;
}

/** By path. */
export type Steps = Readonly<Record<string, Step>>;

/** The selection of a NewSession that `admit` needs. */
export const NEW_SESSION = '{ token expiresAt secondFactors account { id } device { token expiresAt } }';

export interface NewSession {
  token: string;
  expiresAt: string;
  secondFactors: string[];
  account: { id: string };
  device: { token: string; expiresAt: string } | null;
}

const END_IMPERSONATION = 'mutation impersonationEnd($token: String!) { ended: impersonationEnd(token: $token) }';
const END = 'mutation sessionEnd($token: String!) { ended: sessionEnd(token: $token) }';

export interface SignInFlow {
  /** Asks accounts as the anonymous visitor. Throws the Failure of the answer. */
  ask<Data>(visit: Visit, query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** The same, as the given viewer. */
  askAs<Data>(viewer: Viewer, query: string, variables: Record<string, unknown>): Promise<Data>;
  /** Sets the session's cookie and ends the browser's earlier session; while a second factor is missing, sets the challenge's cookie instead. Returns the body of the answer. */
  admit(visit: Visit, session: NewSession): Promise<{ accountId: string } | { secondFactors: string[] }>;
  /** The tokens that make the browser a known device: of an earlier log-in, and of a link in a mail to the account's owner. */
  devicesOf(visit: Visit): string[];
  /** Ends the browser's session and impersonation, if it has them. */
  leave(visit: Visit): Promise<void>;
  /** Ends the browser's impersonation, if it has one. */
  endImpersonation(visit: Visit): Promise<void>;
  clock: Clock;
  cookies: Record<
    'session' | 'impersonation' | 'challenge' | 'signUp' | 'verification' | 'passkey' | 'chat' | 'device' | 'deviceLink',
    SessionCookie
  >;
}

export function createSignInFlow({ accounts, cookie, clock }: { accounts: Askable; cookie: SessionCookie; clock: Clock }): SignInFlow {
  const cookies = {
    session: cookie,
    impersonation: cookie.beside('impersonation'),
    challenge: cookie.beside('challenge'),
    signUp: cookie.beside('sign_up'),
    verification: cookie.beside('verification'),
    passkey: cookie.beside('passkey'),
    chat: cookie.beside('chat'),
    device: cookie.beside('device'),
    // A second cookie besides the device's own: a person who is tricked into following a link for another account stays known to their own.
    deviceLink: cookie.beside('device_link'),
  };
  const askAccounts = askerOf(accounts);
  return {
    cookies,
    clock,
    ask<Data>({ call }: Visit, query: string, variables: Record<string, unknown> = {}) {
      return this.askAs<Data>({ kind: 'anonymous', ...originOf(call) }, query, variables);
    },
    askAs: (viewer, query, variables) => askAccounts(query, variables, viewer),
    devicesOf: ({ request }) => [cookies.device, cookies.deviceLink].flatMap((each) => each.read(request) ?? []),
    async leave(visit) {
      await this.endImpersonation(visit);
      const token = cookies.session.read(visit.request);
      if (token) await this.ask(visit, END, { token });
    },
    async endImpersonation(visit) {
      const token = cookies.impersonation.read(visit.request);
      if (token === undefined) return;
      await this.ask(visit, END_IMPERSONATION, { token });
      visit.response.appendHeader('Set-Cookie', cookies.impersonation.clear());
    },
    async admit(visit, { token, expiresAt, secondFactors, account, device }) {
      const { request, response, call } = visit;
      call.logFields.accountId = account.id;
      const seconds = secondsTo(clock, expiresAt);
      if (secondFactors.length > 0) {
        response.appendHeader('Set-Cookie', cookies.challenge.set(token, seconds));
        return { secondFactors };
      }
      await this.leave(visit);
      response.appendHeader('Set-Cookie', cookies.session.set(token, seconds));
      if (device) response.appendHeader('Set-Cookie', cookies.device.set(device.token, secondsTo(clock, device.expiresAt)));
      if (cookies.deviceLink.read(request) !== undefined) response.appendHeader('Set-Cookie', cookies.deviceLink.clear());
      return { accountId: account.id };
    },
  };
}

export const secondsTo = (clock: Clock, moment: string): number => (new Date(moment).getTime() - clock.now().getTime()) / 1_000;

/** A text field of the body. Throws `parameter_missing`. */
export function textOf(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw fail('parameter_missing', { field });
  return value;
}

/** Redirects the browser to a page of the dashboard. */
export function goTo({ response }: Visit, path: string): void {
  response.writeHead(303, { Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end();
}
