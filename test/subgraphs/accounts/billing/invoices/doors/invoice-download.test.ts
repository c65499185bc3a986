import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInvoiceRoute } from '../../../../../../subgraphs/accounts/billing/invoices/doors/invoice-download.ts';
import { openDoor } from '../../front.ts';
import { type BillingWorld, type Person, startBilling } from '../../world.ts';
import { rowOf } from '../../../../../kit/tables.ts';

let world: BillingWorld;
let ada: Person;
let path: string;
let door: Awaited<ReturnType<typeof openDoor>>;
beforeAll(async () => {
  world = await startBilling();
  door = await openDoor(world, createInvoiceRoute);
  ada = await world.account('ada@example.com');
  await world.buy(ada);
  const invoice = await rowOf<{ id: string }>(world.query, 'accounts.invoice', { account_id: ada.id });
  path = `/invoices/${invoice?.id}.pdf`;
});
afterAll(async () => {
  await door.close();
  await world.close();
});

const get = (token?: string, at = path, init: RequestInit = {}) => door.get(at, token, init);

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
