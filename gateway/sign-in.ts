// Log-in and log-out beside the graph, since only HTTP can set a cookie that no script reads.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '#shared/clock.ts';
import { fail, fromExtensions } from '#shared/errors.ts';
import type { Viewer } from '#shared/identity.ts';
import { readJsonObject } from '#shared/read-body.ts';
import type { OriginPolicy } from './origins.ts';
import { requireMethod, sendJson } from './respond.ts';
import type { Call, Route } from './route.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { Source } from './sources/source.ts';

const BODY_LIMIT = 8_192;

const CREATE = `mutation sessionCreate($email: String!, $password: String!) {
  session: sessionCreate(email: $email, password: $password) { token expiresAt account { id } }
}`;
const END = 'mutation sessionEnd($token: String!) { ended: sessionEnd(token: $token) }';

interface NewSession {
  token: string;
  expiresAt: string;
  account: { id: string };
}

export interface SignInOptions {
  accounts: Source;
  cookie: SessionCookie;
  origins: OriginPolicy;
  clock: Clock;
}

/**
 * `POST /auth/sign-in` with `{ email, password }`: 200 `{ accountId }` and the cookie; credentials_wrong 401, email_not_verified 403,
 * too_many_attempts 429. `POST /auth/sign-out` with `{}`: 200 `{}`, the session ended and the cookie cleared, also when there was none.
 */
export function createSignInRoute({ accounts, cookie, origins, clock }: SignInOptions): Route {
  async function ask<Data>(query: string, variables: Record<string, string>, request: IncomingMessage, call: Call): Promise<Data> {
    const userAgent = request.headers['user-agent'];
    const viewer: Viewer = { kind: 'anonymous', address: call.address, requestId: call.requestId, ...(userAgent && { userAgent }) };
    const { data, errors } = await accounts.execute({ query, variables }, viewer);
    const [error] = errors ?? [];
    if (error || !data) throw (error && fromExtensions(error.message, error.extensions)) ?? fail('internal');
    return data as Data;
  }

  return {
    name: 'sign-in',
    matches: (pathname) => pathname === '/auth/sign-in' || pathname === '/auth/sign-out',
    async handle(request, response, call) {
      requireMethod(request, response, 'POST');
      origins.check(request);
      // A form of another site can send neither this type nor, past the check above, a request with our cookie.
      if (!/^application\/json(\s*;|$)/i.test(request.headers['content-type'] ?? '')) throw fail('content_type_refused');
      const body = await readJsonObject(request, BODY_LIMIT);

      if (call.url.pathname === '/auth/sign-out') {
        const token = cookie.read(request);
        if (token) await ask(END, { token }, request, call);
        response.setHeader('Set-Cookie', cookie.clear());
        return sendJson(response, 200, {});
      }
      const { session } = await ask<{ session: NewSession }>(
        CREATE,
        { email: textOf(body, 'email'), password: textOf(body, 'password') },
        request,
        call,
      );
      const seconds = (new Date(session.expiresAt).getTime() - clock.now().getTime()) / 1_000;
      response.setHeader('Set-Cookie', cookie.set(session.token, seconds));
      sendJson(response, 200, { accountId: session.account.id });
    },
  };
}

function textOf(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value !== 'string' || value === '') throw fail('parameter_missing', { field });
  return value;
}
