// The targets of links in mails. Opening a link only stores its token in a cookie of the browser; the token is used by the log-in that follows. So a mail scanner that fetches a link does not use it up, and a person who follows somebody else's link gains nothing: the log-in also needs the password of that account, or what shows that this browser has signed up.
import { withNext } from '../../schema/limits.ts';
import type { SessionCookie } from './session-cookie.ts';
import { type Step, type Steps, type SignInFlow, goTo } from './sign-in-flow.ts';

const TOKEN = /^[\w-]{20,100}$/;

/**
 * `GET /auth/verify?token=...`: 303 to the dashboard's page, with the cookie of a sign-up's link. `GET /auth/device?token=...`: 303 to the log-in, with the cookie of a
 * link that makes this browser a known device, so that failed attempts of strangers do not lock it out. `next`: the page of this site to go to afterwards.
 */
export const linkSteps = ({ cookies }: SignInFlow): Steps => ({
  '/auth/verify': rememberToken(cookies.verification, 86_400, '/verify'),
  '/auth/device': rememberToken(cookies.deviceLink, 7_200, '/sign-in?device=known'),
});

/** `seconds`: the lifetime of the link itself. */
const rememberToken = (cookie: SessionCookie, seconds: number, page: string): Step => ({
  method: 'GET',
  async run(visit) {
    const token = visit.call.url.searchParams.get('token') ?? '';
    if (TOKEN.test(token)) visit.response.appendHeader('Set-Cookie', cookie.set(token, seconds));
    goTo(visit, withNext(page, visit.call.url.searchParams.get('next')));
  },
});
