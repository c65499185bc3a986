// A member of staff views an account as its owner sees it: while it lasts, a second cookie takes the place of the session's for pages.
import { sendJson } from '#platform/respond.ts';
import { originOf } from '#platform/route.ts';
import { fail } from '#platform/errors.ts';
import type { Access } from './access.ts';
import { type SignInFlow, type Steps, secondsTo, textOf } from './sign-in-flow.ts';

const BEGIN = `mutation supportImpersonationBegin($accountId: ID!, $reason: String!) {
  begun: supportImpersonationBegin(accountId: $accountId, reason: $reason) { token expiresAt }
}`;

/**
 * `POST /auth/impersonate` with `{ accountId, reason }` by a member of staff: 200 `{}` and the cookie; session_invalid 401, permission_missing,
 * own_account_refused 403, account_not_found 404, action_not_allowed 409, parameter_invalid 400. `POST /auth/impersonate-end` with `{}`: 200 `{}`, also
 * when no impersonation had begun.
 */
export const impersonationSteps = (flow: SignInFlow, access: Pick<Access, 'sessionNow'>): Steps => ({
  '/auth/impersonate': {
    method: 'POST',
    async run(visit) {
      const { request, response, call, body } = visit;
      const token = flow.cookies.session.read(request);
      if (!token) throw fail('session_invalid');
      const viewer = await access.sessionNow(token, originOf(call));
      call.logFields.caller = viewer;
      const variables = { accountId: textOf(body, 'accountId'), reason: textOf(body, 'reason') };
      const { begun } = await flow.askAs<{ begun: { token: string; expiresAt: string } }>(viewer, BEGIN, variables);
      await flow.endImpersonation(visit);
      response.appendHeader('Set-Cookie', flow.cookies.impersonation.set(begun.token, secondsTo(flow.clock, begun.expiresAt)));
      sendJson(response, 200, {});
    },
  },
  '/auth/impersonate-end': {
    method: 'POST',
    async run(visit) {
      await flow.endImpersonation(visit);
      sendJson(visit.response, 200, {});
    },
  },
});
