// Log-in with a passkey, alone or as the second factor of another log-in.
import { fail } from '#platform/errors.ts';
import { sendJson } from '#platform/respond.ts';
import { NEW_SESSION, type NewSession, type Steps, type SignInFlow } from './sign-in-flow.ts';

const START = 'mutation passkeySignInStart($devices: [String!]) { ceremony: passkeySignInStart(devices: $devices) { token options } }';
const FINISH = `mutation passkeySignIn($token: String!, $response: String!, $devices: [String!]) {
  session: passkeySignIn(token: $token, response: $response, devices: $devices) ${NEW_SESSION}
}`;
const CEREMONY_SECONDS = 300;

/**
 * `POST /auth/passkey/start` with `{}`: 200 `{ options }` for navigator.credentials.get. `POST /auth/passkey/finish` with `{ response }`, its result:
 * 200 `{ accountId }` and the cookie; passkey_invalid and challenge_invalid 401.
 */
export const passkeySteps = (flow: SignInFlow): Steps => ({
  '/auth/passkey/start': {
    method: 'POST',
    async run(visit) {
      const { ceremony } = await flow.ask<{ ceremony: { token: string; options: string } }>(visit, START, {
        devices: flow.devicesOf(visit),
      });
      visit.response.appendHeader('Set-Cookie', flow.cookies.passkey.set(ceremony.token, CEREMONY_SECONDS));
      sendJson(visit.response, 200, { options: JSON.parse(ceremony.options) as object });
    },
  },
  '/auth/passkey/finish': {
    method: 'POST',
    async run(visit) {
      const token = flow.cookies.passkey.read(visit.request);
      const { response } = visit.body;
      if (token === undefined) throw fail('challenge_invalid');
      if (typeof response !== 'object' || response === null) throw fail('parameter_missing', { field: 'response' });
      const { session } = await flow.ask<{ session: NewSession }>(visit, FINISH, {
        token,
        response: JSON.stringify(response),
        devices: flow.devicesOf(visit),
      });
      for (const cookie of [flow.cookies.passkey, flow.cookies.challenge]) visit.response.appendHeader('Set-Cookie', cookie.clear());
      sendJson(visit.response, 200, await flow.admit(visit, session));
    },
  },
});
