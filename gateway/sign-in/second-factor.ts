// The second step of a log-in by password or chat: a code of the authenticator app, or a recovery code.
import { fail } from '#platform/errors.ts';
import { sendJson } from '#platform/respond.ts';
import { NEW_SESSION, type NewSession, type Steps, type SignInFlow, textOf } from './sign-in-flow.ts';

const CONFIRM = `mutation sessionConfirm($challenge: String!, $method: SecondFactor!, $code: String!, $devices: [String!]) {
  session: sessionConfirm(challenge: $challenge, method: $method, code: $code, devices: $devices) ${NEW_SESSION}
}`;
const METHODS = ['TOTP', 'RECOVERY_CODE'];

/** `POST /auth/second-factor` with `{ method: TOTP | RECOVERY_CODE, code }`: 200 `{ accountId }` and the cookie; code_wrong and challenge_invalid 401. */
export const secondFactorSteps = (flow: SignInFlow): Steps => ({
  '/auth/second-factor': {
    method: 'POST',
    async run(visit) {
      const method = textOf(visit.body, 'method');
      if (!METHODS.includes(method)) throw fail('parameter_invalid', { field: 'method', allowed: METHODS });
      const challenge = flow.cookies.challenge.read(visit.request);
      if (challenge === undefined) throw fail('challenge_invalid');
      const { session } = await flow.ask<{ session: NewSession }>(visit, CONFIRM, {
        challenge,
        method,
        code: textOf(visit.body, 'code'),
        devices: flow.devicesOf(visit),
      });
      visit.response.appendHeader('Set-Cookie', flow.cookies.challenge.clear());
      sendJson(visit.response, 200, await flow.admit(visit, session));
    },
  },
});
