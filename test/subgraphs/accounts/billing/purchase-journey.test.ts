import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '#platform/staff-permissions.ts';
import { grantCredit } from '../../../../subgraphs/accounts/billing/ledger/services/grant-credit.ts';
import { askAs } from '../../../kit/dashboard.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { checkoutOf, rowsOf } from '../../../kit/tables.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ at: '2026-03-10T09:00:00Z' });
});
afterAll(() => stack.close());

test('somebody buys with credit and a card, and downloads the invoice: preview, charge, books and paper say the same', async () => {
  const buyer = await stack.seed.account();
  const cookie = await buyer.cookie();
  const ask = askAs(stack.url, cookie);
  const ctx = stack.subgraphs.accounts.context({
    kind: 'session',
    accountId: (await stack.seed.account({ role: 'STAFF' })).id,
    sessionId: 'sess_desk',
    staff: true,
    permissions: ALL_PERMISSIONS,
    address: '127.0.0.1',
    requestId: 'req_desk',
  });
  await grantCredit(ctx, { accountId: buyer.id, amountMinor: 700, currency: 'USD', reason: 'Welcome', idempotencyKey: 'journey-welcome' });

  const { offer } = await ask<{ offer: { token: string; total: { amountMinor: number } } }>(
    '{ offer: residentialOffer(product: PREMIUM, gigabytes: 10) { token total { amountMinor } } }',
  );
  const { orderPlace: order } = await ask<{ orderPlace: { id: string; credit: { amountMinor: number }; total: { amountMinor: number } } }>(
    placeOrder('id credit { amountMinor } total { amountMinor }'),
    { offer: offer.token, key: 'journey-buys' },
  );
  expect(order.credit.amountMinor).toBe(700);
  expect(order.total.amountMinor).toBe(offer.total.amountMinor - 700);
  stack.sandbox.card.payCheckout(await checkoutOf(stack.database.query, order.id));
  await stack.settle();
  expect(stack.sandbox.card.charges().map(({ amount }) => amount)).toEqual([order.total.amountMinor]);

  const { me } = await ask<{
    me: { orders: { status: string }[]; invoices: { number: string; downloadPath: string; total: object; due: object }[] };
  }>('{ me { orders { status } invoices { number downloadPath total { amountMinor } due { amountMinor } } } }');
  expect(me.orders).toEqual([{ status: 'FULFILLED' }]);
  expect(me.invoices).toEqual([
    {
      number: 'INV-2026-000001',
      downloadPath: expect.any(String),
      total: { amountMinor: offer.total.amountMinor },
      due: { amountMinor: 0 },
    },
  ]);
  const answer = await fetch(`${stack.url}${me.invoices[0]?.downloadPath}`, { headers: { Cookie: cookie } });
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())), { mergePages: true });
  expect(text).toContain('Paid by account credit on 2026-03-10');
  expect(text).toContain('INV-2026-000001');
  const [sum] = await rowsOf<{ sum: string }>(stack.database.query, 'accounts.ledger_entry', {}, { columns: 'sum(amount_minor)' });
  expect(sum?.sum).toBe('0');
});
