import { expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { rowOf } from '../../../../kit/tables.ts';
import { planFaults } from '../../../../kit/faults.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());

const taxed = { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 };
const ORDER = `query ($id: ID!) { order(id: $id) { status payments { amount { amountMinor } } refunds { status destination amount { amountMinor } reason }
  invoices { number kind note total { amountMinor } tax { amountMinor } paid { amountMinor } corrects { number } } } }`;
interface OrderAnswer {
  status: string;
  refunds: object[];
  invoices: { number: string; tax: { amountMinor: number }; total: { amountMinor: number } }[];
}
const orderOf = async ({ viewer }: Person, id: string) => dataOf<OrderAnswer>(await world.ask(viewer, ORDER, { id }), 'order');

test('a refund to the card goes there once, with a credit note, and ends in balanced books', async () => {
  const ada = await world.account('ada@example.com');
  const { id } = await world.buy(ada, taxed);
  const input = { orderId: id, destination: 'CARD' as const, idempotencyKey: 'refund-ada-once' };
  const first = await world.refund(desk.viewer, input);
  expect(dataOf(first, 'supportOrderRefund')).toMatchObject({ status: 'PENDING', amount: { amountMinor: 2_975 } });
  expect(await world.refund(desk.viewer, input)).toEqual(first);
  await world.settle();
  expect(await orderOf(ada, id)).toEqual({
    status: 'REFUNDED',
    payments: [{ amount: { amountMinor: 2_975 } }],
    refunds: [{ status: 'DONE', destination: 'CARD', amount: { amountMinor: 2_975 }, reason: 'It did not work' }],
    invoices: [
      expect.objectContaining({ number: expect.stringMatching(/^INV-2026-/), kind: 'INVOICE', corrects: null }),
      {
        number: expect.stringMatching(/^CN-2026-/),
        kind: 'CREDIT_NOTE',
        note: 'It did not work',
        total: { amountMinor: 2_975 },
        tax: { amountMinor: 475 },
        paid: { amountMinor: 2_975 },
        corrects: { number: expect.stringMatching(/^INV-2026-/) },
      },
    ],
  });
  expect(world.sandbox.card.refunds().map(({ amount }) => amount)).toEqual([2_975]);
  expect(await world.books()).toEqual({});
});

test('parts of a price carry exactly its tax, and no more than the price comes back', async () => {
  const ben = await world.account('ben@example.com');
  const { id } = await world.buy(ben, taxed);
  for (const amountMinor of [1, 333, 1_000, 777])
    expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor }))).toBeUndefined();
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 865 }))).toBe('parameter_invalid');
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' });
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' }))).toBe('parameter_invalid');
  const { invoices, status } = await orderOf(ben, id);
  expect(invoices.slice(1).reduce((sum, { tax }) => sum + tax.amountMinor, 0)).toBe(475);
  expect(invoices.slice(1).reduce((sum, { total }) => sum + total.amountMinor, 0)).toBe(2_975);
  expect(status).toBe('REFUNDED');
  expect(await world.balance(ben)).toBe(2_975);
});

test('a card gets back no more than it has paid; the rest can become credit', async () => {
  const cleo = await world.account('cleo@example.com');
  await world.grant(cleo.id, 900, desk.viewer);
  const { id } = await world.buy(cleo);
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD', amountMinor: 1_601 }))).toBe('parameter_invalid');
  expect(dataOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD' }), 'supportOrderRefund')).toMatchObject({
    amount: { amountMinor: 1_600 },
  });
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT' });
  await world.settle();
  expect(await world.balance(cleo)).toBe(900);
  expect((await orderOf(cleo, id)).status).toBe('REFUNDED');
});

test('what the processor will not take back becomes account credit', async () => {
  const dan = await world.account('dan@example.com');
  const { id } = await world.buy(dan);
  // Somebody has refunded it by hand, at the processor.
  const payment = await rowOf<{ processor_id: string }>(world.query, 'accounts.payment', { order_id: id });
  const answer = await fetch(`${world.sandbox.urls.card}/v1/refunds`, {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_test_sandbox', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ payment_intent: payment?.processor_id ?? '' }),
  });
  expect(answer.status).toBe(200);
  await world.refund(desk.viewer, { orderId: id, destination: 'CARD' });
  await world.settle();
  expect((await orderOf(dan, id)).refunds).toMatchObject([{ status: 'CREDITED' }]);
  expect(await world.balance(dan)).toBe(2_500);
});

test('a processor that answers with trouble delays the money, and never sends it twice', async () => {
  const { api } = world.sandbox.card.faults;
  const eva = await world.account('eva@example.com');
  const { id } = await world.buy(eva);
  const before = world.sandbox.card.refunds().length;
  const on = 'POST /v1/refunds';
  planFaults(api.next, { fault: 'lost_answer', on }, { fault: 'error_after_effect', on }, { fault: 'error_after_effect', on });
  const refund = dataOf<{ id: string }>(await world.refund(desk.viewer, { orderId: id, destination: 'CARD' }), 'supportOrderRefund');
  await world.settle();
  world.clock.advance(6 * MINUTE);
  await world.platform.queue.runNow('accounts.sweep');
  await world.platform.queue.runNow('accounts.refund-send', { id: refund.id });
  expect((await orderOf(eva, id)).refunds).toMatchObject([{ status: 'DONE' }]);
  expect(world.sandbox.card.refunds()).toHaveLength(before + 1);
});

test('only support refunds, only what was paid, and says why', async () => {
  const fay = await world.account('fay@example.com');
  const order = await world.place(fay);
  expect(codeOf(await world.refund(fay.viewer, { orderId: order.id, destination: 'CREDIT' }))).toBe('forbidden');
  expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' }))).toBe('action_not_allowed');
  expect(codeOf(await world.refund(desk.viewer, { orderId: 'ord_none', destination: 'CREDIT' }))).toBe('order_not_found');
  expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', reason: ' ' }))).toBe('parameter_invalid');
});

test('twenty refunds at once give back the price once', async () => {
  const gus = await world.account('gus@example.com');
  const { id } = await world.buy(gus);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 2_500 })),
  );
  expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
  expect(await world.balance(gus)).toBe(2_500);
});
