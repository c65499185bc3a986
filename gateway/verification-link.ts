// Where the link of a sign-up leads: the browser keeps its token for the log-in that follows, and only there the token is used. So a mail scanner that fetches the
// link uses nothing up, and a person who follows the link of somebody else's sign-up opens nothing: the log-in needs that sign-up's password as well.
import { type Steps, type WayIn, goTo } from './way-in.ts';

/** As long as the link itself may live. */
const KEPT_SECONDS = 86_400;
const TOKEN = /^[\w-]{20,100}$/;

/** `GET /auth/verify?token=...`: 303 to the dashboard's page, with the cookie. */
export const verificationSteps = ({ cookies }: WayIn): Steps => ({
  '/auth/verify': {
    method: 'GET',
    async run(visit) {
      const token = visit.call.url.searchParams.get('token') ?? '';
      if (TOKEN.test(token)) visit.response.appendHeader('Set-Cookie', cookies.verification.set(token, KEPT_SECONDS));
      goTo(visit, `/verify?token=${encodeURIComponent(token)}`);
    },
  },
});
