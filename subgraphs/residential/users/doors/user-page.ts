// The use of a proxy user, at an address that needs no sign-in. Whoever knows the address may read it, so it has no password and nothing about the account.
import { toGb } from '#platform/data-size.ts';
import type { DoorParts } from '#platform/doors.ts';
import { systemViewer } from '#platform/identity.ts';
import { languageOf } from '#platform/language.ts';
import { requireMethod, retryAfter } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { type UseOfUser, drawUserPage } from '../domain/user-page.ts';

/** 256 bits in base64url; with `.json` the answer is data. */
const PATH = /^\/use\/([A-Za-z0-9_-]{43})(\.json)?$/;

const DOCUMENT = /* GraphQL */ `
  query proxyUserUse($token: String!) {
    use: proxyUserUse(token: $token) {
      name
      username
      state
      resumesAt
      dailyLimitBytes
      monthlyLimitBytes
      totalLimitBytes
      countedBytes
      usedTodayBytes
      usedMonthBytes
      asOf
      days {
        on
        totalBytes
      }
    }
  }
`;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};
const HTML = { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept-Language, Cookie' };
const TEXT = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
const DATA = { ...HEADERS, 'Content-Type': 'application/json; charset=utf-8' };

/** `GET /use/{token}` and `GET /use/{token}.json`. list_not_found is 404 with a sentence as the body. */
export function createUserPageRoute({ ask }: Pick<DoorParts, 'ask'>): Route {
  return {
    name: 'user-page',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, { url, requestId, address }) {
      requireMethod(request, response, 'GET', 'HEAD');
      const [, token, asData] = PATH.exec(url.pathname) ?? [];
      const viewer = { ...systemViewer('user-page', requestId), address };
      const { use } = await ask<{ use: UseOfUser }>(DOCUMENT, { token }, viewer);
      const body = Buffer.from(asData ? JSON.stringify(toData(use)) : drawUserPage(use, languageOf(request.headers) ?? 'en'));
      response
        .writeHead(200, { ...(asData ? DATA : HTML), 'Content-Length': body.length })
        .end(request.method === 'HEAD' ? undefined : body);
    },
    refuse(failure, request, response) {
      const body = Buffer.from(`${failure.message}\n`);
      response
        .writeHead(failure.status, { ...TEXT, 'Content-Length': body.length, 'X-Error-Code': failure.code, ...retryAfter(failure) })
        .end(request.method === 'HEAD' ? undefined : body);
    },
  };
}

const gbOf = (bytes: string | null): number | null => (bytes === null ? null : toGb(BigInt(bytes)));

/** The same in the names that the REST API uses. */
const toData = (use: UseOfUser) => ({
  name: use.name,
  username: use.username,
  state: use.state.toLowerCase(),
  resumes_at: use.resumesAt,
  daily_limit_gb: gbOf(use.dailyLimitBytes),
  monthly_limit_gb: gbOf(use.monthlyLimitBytes),
  total_limit_gb: gbOf(use.totalLimitBytes),
  counted_gb: gbOf(use.countedBytes),
  used_today_gb: gbOf(use.usedTodayBytes),
  used_month_gb: gbOf(use.usedMonthBytes),
  days: Object.fromEntries(use.days.map(({ on, totalBytes }) => [on, gbOf(totalBytes)])),
  as_of: use.asOf,
});
