import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFront } from '../../../../../../gateway/http/front.ts';
import { createAccess } from '../../../../../../gateway/sign-in/access.ts';
import { askerOf } from '#platform/ask.ts';
import { createInvoiceRoute } from '../../../../../../subgraphs/accounts/billing/invoices/doors/invoice-download.ts';
import { createRateLimiter } from '../../../../../../gateway/http/rate-limit.ts';
import { pageSession } from '../../../../../../gateway/sign-in/page-session.ts';
import { createSessionCookie } from '../../../../../../gateway/sign-in/session-cookie.ts';
import { type BillingWorld, type Person, startBilling } from '../../world.ts';
import { rowOf } from '../../../../../kit/tables.ts';

let world: BillingWorld;
let ada: Person;
let path: string;
let url: string;
let closeFront: () => Promise<void>;
beforeAll(async () => {
  world = await startBilling();
  const { clock, log, metrics } = world.platform;
  const access = createAccess({ accounts: world.source, limiter: await createRateLimiter({ log }), clock, log });
  const cookie = createSessionCookie(false);
  const front = createFront({
    port: 0,
    host: '127.0.0.1',
    routes: [createInvoiceRoute({ ask: askerOf(world.source), session: pageSession({ access, cookie }) })],
    upgrades: [],
    clock,
    log,
    metrics,
  });
  ({ url } = await front.listen());
  closeFront = () => front.close();
  ada = await world.account('ada@example.com');
  await world.buy(ada);
  const invoice = await rowOf<{ id: string }>(world.query, 'accounts.invoice', { account_id: ada.id });
  path = `/invoices/${invoice?.id}.pdf`;
});
afterAll(async () => {
  await closeFront();
  await world.close();
});

const get = (token?: string, at = path, init: RequestInit = {}) =>
  fetch(`${url}${at}`, { ...init, headers: token ? { Cookie: `egress_session=${token}` } : {} });

test('the owner gets the file by its number, and no cache keeps it', async () => {
  const { token } = await world.logIn(ada.email);
  const answer = await get(token);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="INV-2026-000001.pdf"',
    'cache-control': 'no-store',
  });
  const file = Buffer.from(await answer.arrayBuffer());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  const head = await get(token, path, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String(file.length));
});

test('401 without a session, 404 for another account, an absent invoice and another path, 405 for another method', async () => {
  const ben = await world.account('ben@example.com');
  const { token } = await world.logIn(ben.email);
  const refused = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
  expect(await refused(await get())).toEqual([401, 'session_invalid']);
  expect(await refused(await get('forged-token-forged-token'))).toEqual([401, 'session_invalid']);
  expect(await refused(await get(token))).toEqual([404, 'invoice_not_found']);
  expect(await refused(await get(token, `/invoices/inv_${'0'.repeat(26)}.pdf`))).toEqual([404, 'invoice_not_found']);
  expect(await refused(await get(token, '/invoices/..%2fsecret.pdf'))).toEqual([404, 'route_not_found']);
  expect(await refused(await get(token, path, { method: 'POST' }))).toEqual([405, 'method_not_allowed']);
});
