import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { PAYPAL_VALID_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/paypal/paypal.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { eventsOf, rowOf, setRows } from '../../../../kit/tables.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startPayPalBilling } from './paypal-world.ts';

const { world, paypal, someone, tryPlace, place, look, checkoutOf, captureOf, buy, run, ...billing } = await startPayPalBilling();
const paid = async (id: string) => (await eventsOf(world.query, id)).filter(({ type }) => type === 'order.paid').length;

test('an order is agreed to at PayPal, taken by us, paid, invoiced and told to its seller, once', async () => {
  const ada = await someone();
  const order = await place(ada);
  const checkout = await checkoutOf(order.id);
  expect(order).toMatchObject({
    status: 'PENDING',
    method: 'PAYPAL',
    checkoutUrl: `${world.sandbox.urls.paypal}/checkoutnow?token=${checkout}`,
  });
  expect(paypal.orders().find(({ id }) => id === checkout)?.unit).toMatchObject({
    custom_id: order.id,
    invoice_id: order.id,
    amount: { currency_code: 'USD', value: '25.00' },
  });
  paypal.approve(checkout);
  await world.settle();
  expect(await look(ada, order.id)).toMatchObject({
    status: 'PAID',
    payments: [{ method: 'PAYPAL', amount: { amountMinor: 2_500 } }],
    invoices: [{ due: { amountMinor: 0 } }],
  });
  expect(captureOf(order.id).status).toBe('COMPLETED');
  expect(await world.books(order.id)).toEqual({ PAYPAL: 2_500, REVENUE: -2_500 });
  expect(await paid(order.id)).toBe(1);
});

test('on the page of the sandbox a payer agrees, and comes back to the order', async () => {
  const { checkoutUrl, id } = await place(await someone());
  const page = await fetch(checkoutUrl);
  expect(await page.text()).toContain('Pay 25.00 USD');
  const form = new URLSearchParams({ email: 'ben@paypal.test', funding: 'balance' });
  const answer = await fetch(checkoutUrl, { method: 'POST', body: form, redirect: 'manual' });
  expect(answer.headers.get('location')).toMatch(new RegExp(`/orders/${id}\\?paid=1&token=`));
  await world.settle();
  expect(captureOf(id).status).toBe('COMPLETED');
});

test('a payer whose browser and whose notice never come back is found by looking', async () => {
  const ben = await someone();
  const { id } = await place(ben);
  paypal.faults.webhooks.drop = 1;
  paypal.approve(await checkoutOf(id));
  paypal.faults.webhooks.drop = 0;
  await world.settle();
  expect(await look(ben, id)).toMatchObject({ status: 'PENDING' });
  world.clock.advance(3 * MINUTE);
  await run('orders-reconcile');
  expect(await look(ben, id)).toMatchObject({ status: 'PAID' });
  expect(await paid(id)).toBe(1);
});

test('a capture whose answer is lost takes the money once, and pays the order once', async () => {
  const cleo = await someone();
  const { id } = await place(cleo);
  planFaults(paypal.faults.api.next, { fault: 'lost_answer', on: `POST /v2/checkout/orders/${await checkoutOf(id)}/capture` });
  paypal.approve(await checkoutOf(id));
  await world.settle();
  world.clock.advance(3 * MINUTE);
  await run('orders-reconcile');
  await world.settle();
  expect(await look(cleo, id)).toMatchObject({ status: 'PAID' });
  expect(captureOf(id).status).toBe('COMPLETED');
  expect(await paid(id)).toBe(1);
});

test('a checkout whose answer is lost is the same one when it is asked for again', async () => {
  planFaults(paypal.faults.api.next, { fault: 'lost_answer', on: 'POST /v2/checkout/orders' });
  const dan = await someone();
  expect(codeOf(await tryPlace(dan))).toBe('vendor_unavailable');
  const { id = '' } = (await rowOf<{ id: string }>(world.query, 'accounts.customer_order', { account_id: dan.id })) ?? {};
  await world.settle();
  world.clock.advance(3 * MINUTE);
  await run('orders-reconcile');
  expect(paypal.orders().filter(({ unit }) => unit.custom_id === id)).toHaveLength(1);
  expect(await look(dan, id)).toMatchObject({ checkoutUrl: expect.stringContaining('checkoutnow') });
});

test('while PayPal does not answer, nobody is told anything else than that, and orders are paid afterwards', async () => {
  const eve = await someone();
  const order = await place(eve);
  planFaults(paypal.faults.api.next, ...Array.from({ length: 3 }, () => ({ fault: 'error_before_effect' as const, on: 'POST /v3/vault' })));
  const add = await world.ask(eve.viewer, 'mutation { cardAdd(method: PAYPAL) { url } }');
  expect(codeOf(add)).toBe('vendor_unavailable');
  paypal.approve(await checkoutOf(order.id));
  await world.settle();
  expect(await look(eve, order.id)).toMatchObject({ status: 'PAID' });
});

test('an order that nobody has agreed to is over after its hour, and who agrees then is not charged', async () => {
  const fay = await someone();
  const { id } = await place(fay);
  const checkout = await checkoutOf(id);
  world.clock.advance(PAYPAL_VALID_MS + MINUTE);
  await run('orders-reconcile');
  expect(await look(fay, id)).toMatchObject({ status: 'EXPIRED' });
  paypal.approve(checkout);
  await world.settle();
  expect(paypal.captures().filter(({ orderId }) => orderId === checkout)).toEqual([]);
  expect(await look(fay, id)).toMatchObject({ status: 'EXPIRED', payments: [] });
});

test('an order that PayPal has forgotten in a long outage is over', async () => {
  const gus = await someone();
  const { id } = await place(gus);
  world.clock.advance(4 * HOUR);
  paypal.tick();
  await run('orders-reconcile');
  expect(await look(gus, id)).toMatchObject({ status: 'EXPIRED' });
});

test('an order that was given up is not taken, although its payer agrees', async () => {
  const hal = await someone();
  const { id } = await place(hal);
  const checkout = await checkoutOf(id);
  dataOf(await world.ask(hal.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id }), 'orderCancel');
  paypal.approve(checkout);
  await world.settle();
  expect(await look(hal, id)).toMatchObject({ status: 'CANCELLED', payments: [] });
  expect(paypal.captures().filter(({ orderId }) => orderId === checkout)).toEqual([]);
});

test('a means that is declined is not tried again by itself; another one, chosen on the same page, pays', async () => {
  const ida = await someone();
  const { id } = await place(ida);
  const checkout = await checkoutOf(id);
  paypal.approve(checkout, { email: 'ida@paypal.test', funding: 'INSTRUMENT_DECLINED' });
  await world.settle();
  for (let count = 0; count < 3; count++) {
    world.clock.advance(3 * MINUTE);
    await run('orders-reconcile');
  }
  expect(paypal.orders().find((order) => order.id === checkout)?.attempts).toBe(1);
  expect(await look(ida, id)).toMatchObject({ status: 'PENDING', checkoutUrl: expect.any(String) });
  paypal.approve(checkout, { email: 'ida@paypal.test', funding: 'balance' });
  await world.settle();
  expect(await look(ida, id)).toMatchObject({ status: 'PAID' });
});

test('money that comes days later keeps the order waiting, and pays it when it is there', async () => {
  const jon = await someone();
  const { id } = await buy(jon, { funding: 'echeck' });
  expect(await look(jon, id)).toMatchObject({ status: 'PENDING', checkoutUrl: null, payments: [] });
  world.clock.advance(4 * DAY);
  await run('orders-reconcile');
  expect(await look(jon, id)).toMatchObject({ status: 'PENDING' });
  paypal.settle(captureOf(id).id);
  await world.settle();
  expect(await look(jon, id)).toMatchObject({ status: 'PAID' });
  expect(await world.books(id)).toEqual({ PAYPAL: 2_500, REVENUE: -2_500 });
});

test('money that was promised and does not come ends the order', async () => {
  const kim = await someone();
  const { id } = await buy(kim, { funding: 'review' });
  paypal.settle(captureOf(id).id, 'DECLINED');
  await world.settle();
  expect(await look(kim, id)).toMatchObject({ status: 'EXPIRED', payments: [] });
  expect(await world.books(id)).toEqual({});
});

test('notices that are repeated, late and out of order change nothing more', async () => {
  const lea = await someone();
  Object.assign(paypal.faults.webhooks, { duplicate: 1, reorder: 1, forge: 1 });
  const { id } = await buy(lea);
  await world.settle();
  Object.assign(paypal.faults.webhooks, { duplicate: 0, reorder: 0, forge: 0 });
  expect(await look(lea, id)).toMatchObject({ status: 'PAID' });
  expect(await paid(id)).toBe(1);
  expect(
    paypal
      .attempts()
      .filter(({ forged }) => forged)
      .every(({ status }) => status === 400),
  ).toBe(true);
});

test('an account that is closed leaves nothing saved at PayPal', async () => {
  const mia = await someone();
  await billing.subscribe(mia, 'mia@paypal.test');
  const customer = (await billing.customerOf(mia))?.processor_id;
  expect(paypal.tokens().filter(({ customerId }) => customerId === customer)).toHaveLength(1);
  await setRows(world.query, 'accounts.account', { closed_at: world.clock.now() }, { id: mia.id });
  await run('sweep');
  await world.settle();
  expect(paypal.tokens().filter(({ customerId }) => customerId === customer)).toEqual([]);
  expect(await billing.customerOf(mia)).toBeUndefined();
});
