import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { SANDBOX_STORE } from '#platform/sandbox-terms.ts';
import { CRYPTO_VALID_MS, CRYPTO_WATCHED_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/crypto/crypto.ts';
import { SECRETS, codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { orderRows } from '../../../../kit/order-rows.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { eventsOf as loggedOf, rowOf, rowsOf } from '../../../../kit/tables.ts';
import { planFaults, setFaults } from '../../../../kit/faults.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());

const PLACE = placeOrder('id status method checkoutUrl total { amountMinor } crypto { state }', 'CRYPTO');
const placed = async ({ id, viewer }: Person) =>
  dataOf<{ id: string; checkoutUrl: string }>(
    await world.ask(viewer, PLACE, { offer: world.offer(id), key: world.newKey() }),
    'orderPlace',
  );

const ORDER = `query ($id: ID!) { order(id: $id) {
  status payments { method amount { amountMinor } } invoices { due { amountMinor } }
  crypto { state seen { amountMinor } confirmed { amountMinor } credited { amountMinor } }
} }`;
interface Seen {
  status: string;
  payments: object[];
  invoices: object[];
  crypto: { state: string; seen: { amountMinor: number }; confirmed: { amountMinor: number }; credited: { amountMinor: number } };
}
const look = async ({ viewer }: Person, id: string) => dataOf<Seen>(await world.ask(viewer, ORDER, { id }), 'order');
const stateOf = async (person: Person, id: string) => {
  const { status, crypto } = await look(person, id);
  return [status, crypto.state, crypto.seen.amountMinor, crypto.confirmed.amountMinor, crypto.credited.amountMinor];
};
const crypto = () => world.sandbox.crypto;
const invoiceOf = (orderId: string) => world.checkoutOf(orderId);
const pass = async (milliseconds: number) => {
  world.clock.advance(milliseconds);
  crypto().tick();
  await world.settle();
};
const run = (job: string) => world.platform.queue.runNow(`accounts.${job}`);
const eventsOf = (id: string) => loggedOf(world.query, id).then((rows) => rows.map(({ type }) => type));

test('an order waits for the coins, then for their confirmation, and is then paid, invoiced and told to its seller, once', async () => {
  const ada = await world.account('ada@example.com');
  const order = await placed(ada);
  const invoice = await invoiceOf(order.id);
  expect(order).toMatchObject({
    status: 'PENDING',
    method: 'CRYPTO',
    checkoutUrl: `${world.sandbox.urls.crypto}/i/${invoice}`,
    crypto: { state: 'WAITING' },
  });
  crypto().pay(invoice);
  await world.settle();
  expect(await stateOf(ada, order.id)).toEqual(['PENDING', 'CONFIRMING', 2_500, 0, 0]);
  await pass(CRYPTO_VALID_MS);
  await run('orders-reconcile');
  expect(await stateOf(ada, order.id)).toEqual(['PENDING', 'CONFIRMING', 2_500, 0, 0]);
  crypto().confirm(invoice);
  await world.settle();
  expect(await stateOf(ada, order.id)).toEqual(['PAID', 'CONFIRMED', 2_500, 2_500, 0]);
  const { payments, invoices } = await look(ada, order.id);
  expect(payments).toEqual([{ method: 'CRYPTO', amount: { amountMinor: 2_500 } }]);
  expect(invoices).toEqual([{ due: { amountMinor: 0 } }]);
  expect(await world.books(order.id)).toEqual({ CRYPTO: 2_500, REVENUE: -2_500 });
  expect((await eventsOf(order.id)).filter((type) => type === 'order.paid')).toHaveLength(1);
});

test('too much pays the order, and the rest becomes credit once, by a mail', async () => {
  const ben = await world.account('ben@example.com');
  const { id } = await placed(ben);
  const invoice = await invoiceOf(id);
  crypto().pay(invoice, { amount: '26.50' });
  crypto().confirm(invoice);
  await world.settle();
  for (let count = 0; count < 3; count++) await run('crypto-watch');
  expect(await stateOf(ben, id)).toEqual(['PAID', 'CONFIRMED', 2_650, 2_650, 150]);
  expect(await world.balance(ben)).toBe(150);
  const subjects = (await world.mailed('ben@example.com')).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === '1.50 USD of your cryptocurrency is account credit')).toHaveLength(1);
  crypto().pay(invoice, { amount: '3' });
  crypto().confirm(invoice);
  await world.settle();
  expect(await world.balance(ben)).toBe(450);
});

test('too little can be made up for while the order waits', async () => {
  const cleo = await world.account('cleo@example.com');
  const { id } = await placed(cleo);
  const invoice = await invoiceOf(id);
  crypto().pay(invoice, { amount: '10' });
  await world.settle();
  expect(await stateOf(cleo, id)).toEqual(['PENDING', 'PARTIAL', 1_000, 0, 0]);
  crypto().pay(invoice);
  crypto().confirm(invoice);
  await world.settle();
  expect(await stateOf(cleo, id)).toEqual(['PAID', 'CONFIRMED', 2_500, 2_500, 0]);
  expect(await world.balance(cleo)).toBe(0);
});

test('too little when the time is up, and what comes after it, becomes credit as it is confirmed', async () => {
  const dan = await world.account('dan@example.com');
  const { id } = await placed(dan);
  const invoice = await invoiceOf(id);
  crypto().pay(invoice, { amount: '10' });
  await pass(CRYPTO_VALID_MS);
  expect(await stateOf(dan, id)).toEqual(['EXPIRED', 'OVER', 1_000, 0, 0]);
  expect(await world.balance(dan)).toBe(0);
  crypto().confirm(invoice);
  await world.settle();
  expect(await world.balance(dan)).toBe(1_000);
  crypto().pay(invoice, { amount: '25' });
  crypto().confirm(invoice);
  await world.settle();
  expect(await stateOf(dan, id)).toEqual(['EXPIRED', 'OVER', 3_500, 3_500, 3_500]);
  expect(await world.balance(dan)).toBe(3_500);
});

test('an order that the processor marks as settled after it was over stays over: its money is credit already', async () => {
  const dora = await world.account('dora@example.com');
  const { id } = await placed(dora);
  const invoice = await invoiceOf(id);
  await pass(CRYPTO_VALID_MS);
  crypto().pay(invoice);
  crypto().confirm(invoice);
  await world.settle();
  const marked = await fetch(`${world.sandbox.urls.crypto}/api/v1/invoices/${invoice}/status`, {
    method: 'POST',
    headers: { authorization: `token ${SECRETS.cryptoApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'Settled' }),
  });
  expect(marked.status).toBe(200);
  await world.settle();
  expect(await stateOf(dora, id)).toEqual(['EXPIRED', 'OVER', 2_500, 2_500, 2_500]);
  expect(await world.balance(dora)).toBe(2_500);
});

test('coins that are never confirmed buy nothing', async () => {
  const eva = await world.account('eva@example.com');
  const { id } = await placed(eva);
  crypto().pay(await invoiceOf(id));
  await pass(CRYPTO_VALID_MS + CRYPTO_WATCHED_MS);
  expect(await stateOf(eva, id)).toEqual(['EXPIRED', 'OVER', 2_500, 0, 0]);
  await pass(336 * HOUR);
  await run('crypto-watch');
  expect(await stateOf(eva, id)).toEqual(['EXPIRED', 'OVER', 0, 0, 0]);
  expect(await orderRows(world.query).watchedOf(id)).toEqual([]);
  expect(await world.balance(eva)).toBe(0);
});

test('coins that are confirmed after the processor has given up become credit, also when no notice tells of them', async () => {
  const eve = await world.account('eve@example.com');
  const { id } = await placed(eve);
  const invoice = await invoiceOf(id);
  crypto().pay(invoice);
  await pass(CRYPTO_VALID_MS + CRYPTO_WATCHED_MS);
  await run('crypto-watch');
  expect(await stateOf(eve, id)).toEqual(['EXPIRED', 'OVER', 2_500, 0, 0]);
  const undo = setFaults(crypto().faults.webhooks, { drop: 1 });
  await pass(10 * DAY);
  crypto().confirm(invoice);
  await world.settle();
  undo();
  expect(await world.balance(eve)).toBe(0);
  await run('crypto-watch');
  expect(await stateOf(eve, id)).toEqual(['EXPIRED', 'OVER', 2_500, 2_500, 2_500]);
  expect(await world.balance(eve)).toBe(2_500);
  expect(await orderRows(world.query).watchedOf(id)).toEqual([]);
});

test('what no notice told is found: a checkout that was never opened, a payment, a late one', async () => {
  const { faults } = crypto();
  setFaults(faults.webhooks, { drop: 1 });
  const fay = await world.account('fay@example.com');
  planFaults(faults.api.next, { fault: 'error_after_effect', on: 'POST' });
  const key = world.newKey();
  const refused = await world.ask(fay.viewer, PLACE, { offer: world.offer(fay.id), key });
  expect(codeOf(refused)).toBe('vendor_unavailable');
  const row = await rowOf<{ id: string }>(world.query, 'accounts.customer_order', { account_id: fay.id });
  const id = row?.id ?? '';
  await pass(3 * MINUTE);
  await run('orders-reconcile');
  const invoice = await invoiceOf(id);
  expect(
    crypto()
      .invoices()
      .filter(({ metadata }) => (metadata as { orderId: string }).orderId === id),
  ).toHaveLength(1);
  crypto().pay(invoice);
  crypto().confirm(invoice);
  await world.settle();
  expect((await look(fay, id)).status).toBe('PENDING');
  await run('orders-reconcile');
  expect((await look(fay, id)).status).toBe('PAID');
  crypto().pay(invoice, { amount: '7' });
  crypto().confirm(invoice);
  await world.settle();
  expect(await world.balance(fay)).toBe(0);
  await run('crypto-watch');
  expect(await world.balance(fay)).toBe(700);
});

test('notices that come twice, late and crossed give one payment', async () => {
  const gus = await world.account('gus@example.com');
  const undo = setFaults(crypto().faults.webhooks, { duplicate: 1, reorder: 1, delay: 1 });
  const ids = await Promise.all(Array.from({ length: 3 }, async () => (await placed(gus)).id));
  for (const id of ids) {
    crypto().pay(await invoiceOf(id));
    crypto().confirm(await invoiceOf(id));
  }
  await world.settle();
  await world.settle();
  undo();
  for (const id of ids) expect(await stateOf(gus, id)).toEqual(['PAID', 'CONFIRMED', 2_500, 2_500, 0]);
  expect(await world.books(...ids)).toEqual({ CRYPTO: 7_500, REVENUE: -7_500 });
});

const cancel = ({ viewer }: Person, id: string) => world.ask(viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id });

test('a cancelled order is closed at the processor, and what comes all the same becomes credit', async () => {
  const hal = await world.account('hal@example.com');
  const { id } = await placed(hal);
  const invoice = await invoiceOf(id);
  await cancel(hal, id);
  await world.settle();
  expect(
    crypto()
      .invoices()
      .find((one) => one['id'] === invoice),
  ).toMatchObject({ status: 'Invalid' });
  crypto().pay(invoice);
  crypto().confirm(invoice);
  await world.settle();
  expect(await stateOf(hal, id)).toEqual(['CANCELLED', 'OVER', 2_500, 2_500, 2_500]);
});

test('coins that were on their way when the order was cancelled pay it: it is delivered, never kept for nothing', async () => {
  const hugo = await world.account('hugo@example.com');
  const { id } = await placed(hugo);
  crypto().pay(await invoiceOf(id));
  await cancel(hugo, id);
  await world.settle();
  expect(await stateOf(hugo, id)).toEqual(['CANCELLED', 'OVER', 2_500, 0, 0]);
  crypto().confirm(await invoiceOf(id));
  await world.settle();
  expect(await stateOf(hugo, id)).toEqual(['PAID', 'CONFIRMED', 2_500, 2_500, 0]);
  expect(await world.balance(hugo)).toBe(0);
});

test('account credit pays first and comes back when the order is over; a refund becomes credit', async () => {
  const ida = await world.account('ida@example.com');
  await world.grant(ida.id, 900, desk.viewer);
  const first = await placed(ida);
  expect(await world.balance(ida)).toBe(0);
  await pass(CRYPTO_VALID_MS);
  expect(await world.balance(ida)).toBe(900);
  const { id } = await placed(ida);
  expect(first.id).not.toBe(id);
  crypto().pay(await invoiceOf(id));
  crypto().confirm(await invoiceOf(id));
  await world.settle();
  expect(await world.books(id)).toEqual({ CRYPTO: 1_600, CUSTOMER_CREDIT: 900, REVENUE: -2_500 });
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD' }))).toBe('parameter_invalid');
  dataOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' }), 'supportOrderRefund');
  expect((await look(ida, id)).status).toBe('REFUNDED');
  expect(await world.balance(ida)).toBe(2_500);
});

test('a notice under another secret, altered, or of another store changes nothing', async () => {
  const jan = await world.account('jan@example.com');
  const { id } = await placed(jan);
  const invoiceId = await invoiceOf(id);
  const body = JSON.stringify({
    deliveryId: 'forged1',
    originalDeliveryId: 'forged1',
    type: 'InvoiceSettled',
    storeId: SANDBOX_STORE,
    invoiceId,
  });
  const sign = (text: string, secret: string) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
  const send = async (text: string, signature?: string) => {
    const answer = await fetch(`${world.url}/webhooks/crypto`, {
      method: 'POST',
      body: text,
      headers: signature ? { 'btcpay-sig': signature } : {},
    });
    return [answer.status, (await answer.json()) as { stored?: boolean; code?: string }] as const;
  };
  const good = sign(body, SECRETS.cryptoWebhookSecret);
  for (const [text, signature] of [
    [body, undefined],
    [body, 'sha256='],
    [body, good.slice('sha256='.length)],
    [body, sign(body, 'another')],
    [body.replace('Settled', 'settled'), good],
    [`${body} `, good],
  ] as const)
    expect(await send(text, signature)).toMatchObject([400, { code: 'signature_invalid' }]);
  const elsewhere = body.replace(SANDBOX_STORE, 'another');
  expect(await send(elsewhere, sign(elsewhere, SECRETS.cryptoWebhookSecret))).toEqual([200, { stored: false }]);
  // A webhook with a valid signature and false content: what counts is what the processor answers when it is asked.
  expect(await send(body, good)).toEqual([200, { stored: true }]);
  expect(await send(body, good)).toEqual([200, { stored: false }]);
  await world.settle();
  expect(await stateOf(jan, id)).toEqual(['PENDING', 'WAITING', 0, 0, 0]);
});

test('it is refused where no crypto processor is set up', async () => {
  const without = await startBilling({}, { withCrypto: false });
  const kim = await without.account('kim@example.com');
  const answer = await without.ask(kim.viewer, PLACE, { offer: without.offer(kim.id), key: 'crypto-refused-1' });
  expect(codeOf(answer)).toBe('crypto_not_available');
  expect(await rowsOf(without.query, 'accounts.customer_order')).toEqual([]);
  expect((await fetch(`${without.url}/webhooks/crypto`, { method: 'POST', body: '{}', headers: { 'btcpay-sig': 'x' } })).status).toBe(404);
  await without.close();
});
