// All ways to sign in and out. They are routes besides the graph, since only an HTTP response can set a cookie that no script can read.
import type { Askable } from '#platform/ask.ts';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { readJsonObject, requireJson } from '#platform/read-body.ts';
import type { Access } from './access.ts';
import type { OriginPolicy } from '../http/origins.ts';
import { chatSteps } from './chat-sign-in.ts';
import { impersonationSteps } from './impersonation.ts';
import { passkeySteps } from './passkey-sign-in.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { secondFactorSteps } from './second-factor.ts';
import type { SessionCookie } from './session-cookie.ts';
import { linkSteps } from './mailed-link.ts';
import { signUpSteps } from './sign-up.ts';
import { NEW_SESSION, type NewSession, type Steps, type SignInFlow, createSignInFlow, textOf } from './sign-in-flow.ts';

const BODY_LIMIT = 8_192;

const CREATE = `mutation sessionCreate($email: String!, $password: String!, $verification: String, $devices: [String!]) {
  session: sessionCreate(email: $email, password: $password, verification: $verification, devices: $devices) ${NEW_SESSION}
}`;

export interface SignInOptions {
  accounts: Askable;
  access: Pick<Access, 'sessionNow'>;
  cookie: SessionCookie;
  origins: OriginPolicy;
  clock: Clock;
}

/**
 * `POST /auth/sign-in` with `{ email, password }`: 200 `{ accountId }` and the cookie, or 200 `{ secondFactors }` while a second factor is missing;
 * credentials_wrong 401, email_not_verified 403, too_many_attempts 429. `POST /auth/sign-out` with `{}`: 200 `{}`, the session ended and the
 * cookie cleared, also when there was no session. The other steps are in files of their own.
 */
export function createSignInRoute({ accounts, access, cookie, origins, clock }: SignInOptions): Route {
  const flow = createSignInFlow({ accounts, cookie, clock });
  const steps: Steps = {
    ...signUpSteps(flow),
    ...passwordSteps(flow),
    ...linkSteps(flow),
    ...secondFactorSteps(flow),
    ...passkeySteps(flow),
    ...chatSteps(flow),
    ...impersonationSteps(flow, access),
  };
  return {
    name: 'sign-in',
    matches: (pathname) => Object.hasOwn(steps, pathname),
    async handle(request, response, call) {
      const step = steps[call.url.pathname];
      if (!step) throw fail('route_not_found');
      call.logFields.operation = call.url.pathname;
      requireMethod(request, response, step.method);
      if (step.method === 'GET') return step.run({ request, response, call, body: {} });
      origins.check(request);
      // A form of another site can neither send this content type nor pass the check above.
      requireJson(request);
      await step.run({ request, response, call, body: await readJsonObject(request, BODY_LIMIT) });
    },
  };
}

const passwordSteps = (flow: SignInFlow): Steps => ({
  '/auth/sign-in': {
    method: 'POST',
    async run(visit) {
      const verification = flow.cookies.verification.read(visit.request);
      const { session } = await flow.ask<{ session: NewSession }>(visit, CREATE, {
        email: textOf(visit.body, 'email'),
        password: textOf(visit.body, 'password'),
        ...(verification !== undefined && { verification }),
        devices: flow.devicesOf(visit),
      });
      const answer = await flow.admit(visit, session);
      if (verification !== undefined) visit.response.appendHeader('Set-Cookie', flow.cookies.verification.clear());
      sendJson(visit.response, 200, answer);
    },
  },
  '/auth/sign-out': {
    method: 'POST',
    async run(visit) {
      await flow.leave(visit);
      visit.response.appendHeader('Set-Cookie', flow.cookies.session.clear());
      sendJson(visit.response, 200, {});
    },
  },
});
