// What the steps of every way in have in common: asking accounts as the visitor, and giving the browser what it has earned.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Askable, askerOf } from '#platform/ask.ts';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { type Call, originOf } from '#platform/route.ts';
import type { SessionCookie } from './session-cookie.ts';

/** One request of a browser on its way in. `body` is empty for GET. */
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

/** The selection that `admit` needs of a NewSession. */
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
  /** Asks accounts as this visitor. Throws the Failure that it answers with. */
  ask<Data>(visit: Visit, query: string, variables?: Record<string, unknown>): Promise<Data>;
  /** The same as this viewer. */
  askAs<Data>(viewer: Viewer, query: string, variables: Record<string, unknown>): Promise<Data>;
  /** Sets the session's cookie, or, while a second factor is owed, the challenge's; the session that the browser had until now ends. Returns the page's answer. */
  admit(visit: Visit, session: NewSession): Promise<{ accountId: string } | { secondFactors: string[] }>;
  /** What the browser shows of being known: by an earlier log-in, or by a link in the owner's mail. */
  devicesOf(visit: Visit): string[];
  /** Ends the session of the browser, where it has one, and what it looks at. */
  leave(visit: Visit): Promise<void>;
  /** Ends the look at another account that the browser has begun, where it has. */
  endImpersonation(visit: Visit): Promise<void>;
  clock: Clock;
  cookies: Record<'session' | 'impersonation' | 'challenge' | 'verification' | 'passkey' | 'chat' | 'device' | 'deviceLink', SessionCookie>;
}

export function createSignInFlow({ accounts, cookie, clock }: { accounts: Askable; cookie: SessionCookie; clock: Clock }): SignInFlow {
  const cookies = {
    session: cookie,
    impersonation: cookie.beside('impersonation'),
    challenge: cookie.beside('challenge'),
    verification: cookie.beside('verification'),
    passkey: cookie.beside('passkey'),
    chat: cookie.beside('chat'),
    device: cookie.beside('device'),
    // Beside the device's own: whoever is talked into following a link of another account is known to their own as before.
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

/** A text of the body. Throws `parameter_missing`. */
export function textOf(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw fail('parameter_missing', { field });
  return value;
}

/** Sends the browser on to a page of the dashboard. */
export function goTo({ response }: Visit, path: string): void {
  response.writeHead(303, { Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).end();
}
