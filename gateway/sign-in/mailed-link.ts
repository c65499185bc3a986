// Where links in mails lead: the browser stores their token for the log-in that follows, and only there the token is used. So a mail scanner that fetches a link uses
// nothing up, and a person who follows the link of somebody else opens nothing: the log-in needs that account's, or that sign-up's, password as well.
import type { SessionCookie } from './session-cookie.ts';
import { type Step, type Steps, type SignInFlow, goTo } from './sign-in-flow.ts';

const TOKEN = /^[\w-]{20,100}$/;

/**
 * `GET /auth/verify?token=...`: 303 to the dashboard's page, with the cookie of a sign-up's link. `GET /auth/device?token=...`: 303 to the log-in, with the cookie of a
 * link that makes this browser known, whatever strangers try meanwhile.
 */
export const linkSteps = ({ cookies }: SignInFlow): Steps => ({
  '/auth/verify': rememberToken(cookies.verification, 86_400, (token) => `/verify?token=${encodeURIComponent(token)}`),
  '/auth/device': rememberToken(cookies.deviceLink, 7_200, () => '/sign-in?device=known'),
});

/** `seconds`: as long as the link itself may live. */
const rememberToken = (cookie: SessionCookie, seconds: number, pageOf: (token: string) => string): Step => ({
  method: 'GET',
  async run(visit) {
    const token = visit.call.url.searchParams.get('token') ?? '';
    if (TOKEN.test(token)) visit.response.appendHeader('Set-Cookie', cookie.set(token, seconds));
    goTo(visit, pageOf(token));
  },
});
