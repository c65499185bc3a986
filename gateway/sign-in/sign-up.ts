// Sign-up in a browser. It gets a cookie, with which the link in the mail logs in by itself; another browser that opens the link is asked for the password.
import { fail } from '#platform/errors.ts';
import { sendJson } from '#platform/respond.ts';
import { NEW_SESSION, type NewSession, type SignInFlow, type Steps, secondsTo, textOf } from './sign-in-flow.ts';

const BEGIN = 'mutation signUpBegin($input: SignUpInput!) { begun: signUpBegin(input: $input) { email browser expiresAt } }';
const FOLLOW = `mutation signUpFollow($verification: String!, $browser: String, $devices: [String!]) {
  arrival: signUpFollow(verification: $verification, browser: $browser, devices: $devices) { email next session ${NEW_SESSION} }
}`;

/**
 * `POST /auth/sign-up` with `{ email, password, accepts?, next? }` as of `SignUpInput`: 200 `{ email }` and the browser's cookie, alike for known and unknown
 * addresses; email_invalid, password_unfit, consent_required 400, too_many_attempts 429.
 * `POST /auth/confirm` with `{}`, after `GET /auth/verify`: 200 `{ accountId, next }` and the session's cookie in the browser that signed up, in another one
 * 200 `{ email, next }`; token_invalid 400.
 */
export const signUpSteps = (flow: SignInFlow): Steps => ({
  '/auth/sign-up': {
    method: 'POST',
    async run(visit) {
      const input = {
        email: textOf(visit.body, 'email'),
        password: textOf(visit.body, 'password'),
        accepts: acceptsOf(visit.body),
        next: typeof visit.body['next'] === 'string' ? visit.body['next'] : null,
      };
      const { begun } = await flow.ask<{ begun: { email: string; browser: string; expiresAt: string } }>(visit, BEGIN, { input });
      visit.response.appendHeader('Set-Cookie', flow.cookies.signUp.set(begun.browser, secondsTo(flow.clock, begun.expiresAt)));
      sendJson(visit.response, 200, { email: begun.email });
    },
  },
  '/auth/confirm': {
    method: 'POST',
    async run(visit) {
      const verification = flow.cookies.verification.read(visit.request);
      if (verification === undefined) throw fail('token_invalid');
      const browser = flow.cookies.signUp.read(visit.request);
      const { arrival } = await flow.ask<{ arrival: { email: string; next: string | null; session: NewSession | null } }>(visit, FOLLOW, {
        verification,
        ...(browser !== undefined && { browser }),
        devices: flow.devicesOf(visit),
      });
      const { email, next, session } = arrival;
      if (!session) return sendJson(visit.response, 200, { email, next });
      const answer = await flow.admit(visit, session);
      for (const cookie of [flow.cookies.verification, flow.cookies.signUp]) visit.response.appendHeader('Set-Cookie', cookie.clear());
      sendJson(visit.response, 200, { ...answer, next });
    },
  },
});

/** What has been agreed to. Throws `parameter_invalid`. */
function acceptsOf({ accepts = [] }: Record<string, unknown>): { kind: string; version: number }[] {
  if (!Array.isArray(accepts)) throw fail('parameter_invalid', { field: 'accepts' });
  return accepts.map((text: unknown) => {
    const { kind, version } = (text ?? {}) as Record<string, unknown>;
    if (typeof kind !== 'string' || !Number.isInteger(version)) throw fail('parameter_invalid', { field: 'accepts' });
    return { kind, version: Number(version) };
  });
}
