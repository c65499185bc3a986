import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
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

/** Ledger -> how its sum has changed since `before`, where it has. */
const since = async (before: Record<string, number>): Promise<Record<string, number>> => {
  const now = await world.books();
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(names.map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const).filter(([, sum]) => sum !== 0));
};
/** Refunds an order by hand, on the processor's own pages. */
const byHand = async (orderId: string, amount?: number) =>
  world.sandbox.card.bank.refund(await world.checkoutOf(orderId), { ...(amount !== undefined && { amount }) });

test('what was given back at the processor by hand is in the books with a credit note, and is not given back again', async () => {
  const before = await world.books();
  const dan = await world.account('dan@example.com');
  const { id } = await world.buy(dan, taxed);
  await byHand(id, 1_000);
  await world.settle();
  expect(await orderOf(dan, id)).toMatchObject({
    status: 'PAID',
    refunds: [{ status: 'DONE', destination: 'CARD', amount: { amountMinor: 1_000 } }],
    invoices: [{}, { kind: 'CREDIT_NOTE', total: { amountMinor: 1_000 }, tax: { amountMinor: 160 }, paid: { amountMinor: 1_000 } }],
  });
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD', amountMinor: 1_976 }))).toBe('parameter_invalid');
  await byHand(id);
  await world.settle();
  expect(await orderOf(dan, id)).toMatchObject({ status: 'REFUNDED' });
  expect(await world.balance(dan)).toBe(0);
  expect(await since(before)).toEqual({});
});

test('a refund that meets one made by hand is that one: never credit as well', async () => {
  const before = await world.books();
  const dora = await world.account('dora@example.com');
  const { id } = await world.buy(dora);
  world.sandbox.card.faults.webhooks.drop = 1;
  await byHand(id);
  await world.refund(desk.viewer, { orderId: id, destination: 'CARD' });
  await world.settle();
  world.sandbox.card.faults.webhooks.drop = 0;
  expect((await orderOf(dora, id)).refunds).toMatchObject([{ status: 'DONE' }]);
  expect(await world.balance(dora)).toBe(0);
  expect(await since(before)).toEqual({});
});

test('a refund that comes back after it had arrived waits for a person, who says what becomes of it', async () => {
  const before = await world.books();
  const refunded = async (name: string) => {
    const person = await world.account(`${name}@example.com`);
    const { id } = await world.buy(person);
    const refund = dataOf<{ id: string }>(await world.refund(desk.viewer, { orderId: id, destination: 'CARD' }), 'supportOrderRefund');
    await world.settle();
    world.sandbox.card.bank.failRefund(world.sandbox.card.refunds().at(-1)?.id ?? '');
    await world.settle();
    return { person, id, refund: refund.id };
  };
  const [again, credit, other] = [await refunded('hal'), await refunded('ida'), await refunded('jon')];
  expect((await orderOf(again.person, again.id)).refunds).toMatchObject([{ status: 'FAILED' }]);
  const failed = await world.ask(desk.viewer, '{ supportFailedRefunds { refund { id } failure order { id } } }');
  expect(dataOf<object[]>(failed, 'supportFailedRefunds')).toEqual(
    expect.arrayContaining(
      [again, credit, other].map(({ id, refund }) => ({ failure: 'expired_or_canceled_card', refund: { id: refund }, order: { id } })),
    ),
  );
  expect(await since(before)).toEqual({ PROCESSOR: 7_500, REFUND_OWED: -7_500 });
  const resolve = (id: string, decision: string) =>
    world.ask(desk.viewer, `mutation { supportRefundResolve(id: "${id}", decision: ${decision}) { status } }`);
  expect(dataOf(await resolve(again.refund, 'AGAIN'), 'supportRefundResolve')).toEqual({ status: 'PENDING' });
  expect(dataOf(await resolve(credit.refund, 'AS_CREDIT'), 'supportRefundResolve')).toEqual({ status: 'CREDITED' });
  expect(dataOf(await resolve(other.refund, 'NOT_OWED'), 'supportRefundResolve')).toEqual({ status: 'NOT_OWED' });
  expect(codeOf(await resolve(credit.refund, 'AGAIN'))).toBe('action_not_allowed');
  await world.settle();
  expect((await orderOf(again.person, again.id)).refunds).toMatchObject([{ status: 'DONE' }]);
  expect(await world.balance(credit.person)).toBe(2_500);
  expect(await since(before)).toEqual({ PROCESSOR: 5_000, CUSTOMER_CREDIT: -2_500, LOSSES: -2_500 });
});

test('what the processor refuses without a code that is known goes to a person, and never to the credit', async () => {
  const kim = await world.account('kim@example.com');
  const { id } = await world.buy(kim);
  world.sandbox.card.bank.dispute(await world.checkoutOf(id));
  await world.refund(desk.viewer, { orderId: id, destination: 'CARD' });
  await world.settle();
  expect((await orderOf(kim, id)).refunds).toMatchObject([{ status: 'FAILED' }]);
  expect(await world.balance(kim)).toBe(0);
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

test('a part that was given back by hand before a refund of all of it is not sent twice: the rest is owed, and goes', async () => {
  const iris = await world.account('iris@example.com');
  const { id: orderId } = await world.buy(iris);
  const checkout = await world.checkoutOf(orderId);
  const { webhooks } = world.sandbox.card.faults;
  webhooks.drop = 1;
  world.sandbox.card.bank.refund(checkout, { amount: 370 });
  await world.refund(desk.viewer, { orderId, destination: 'CARD' });
  await world.settle();
  webhooks.drop = 0;
  await world.platform.queue.runNow('accounts.processors-sweep');
  await world.settle();
  interface Given {
    refunds: { id: string; status: string; amount: { amountMinor: number } }[];
    invoices: { due: { amountMinor: number } }[];
  }
  const orderOf = async () =>
    dataOf<{ orders: Given[] }>(
      await world.ask(iris.viewer, '{ me { orders { refunds { id status amount { amountMinor } } invoices { due { amountMinor } } } } }'),
      'me',
    ).orders[0];
  const refundsOf = async () =>
    (await orderOf())?.refunds.toSorted((one, other) => one.amount.amountMinor - other.amount.amountMinor) ?? [];
  const failed = await refundsOf();
  expect(failed.map(({ status, amount }) => [status, amount.amountMinor])).toEqual([
    ['NOT_OWED', 370],
    ['FAILED', 2_130],
  ]);
  const again = await world.ask(desk.viewer, 'mutation ($id: ID!) { supportRefundResolve(id: $id, decision: AGAIN) { status } }', {
    id: failed[1]?.id,
  });
  expect(dataOf(again, 'supportRefundResolve')).toEqual({ status: 'PENDING' });
  await world.settle();
  expect((await refundsOf()).map(({ status }) => status)).toEqual(['NOT_OWED', 'DONE']);
  expect((await orderOf())?.invoices.map(({ due }) => due.amountMinor)).toEqual([0, 0]);
});

test('what somebody gives back by hand while a refund of it waits to be sent goes out of the books once', async () => {
  const before = (await world.books())['PROCESSOR'] ?? 0;
  const jane = await world.account('jane@example.com');
  const { id: orderId } = await world.buy(jane);
  const fault = { fault: 'error_before_effect', on: 'POST /v1/refunds' } as const;
  planFaults(world.sandbox.card.faults.api.next, fault, fault, fault);
  await world.refund(desk.viewer, { orderId, destination: 'CARD' });
  await world.settle();
  world.sandbox.card.bank.refund(await world.checkoutOf(orderId));
  await world.settle();
  world.clock.advance(HOUR);
  await world.platform.queue.runNow('accounts.sweep');
  await world.settle();
  const me = await world.ask(jane.viewer, '{ me { orders { refunds { status } invoices { due { amountMinor } } } } }');
  expect(dataOf(me, 'me')).toEqual({
    orders: [{ refunds: [{ status: 'NOT_OWED' }], invoices: [{ due: { amountMinor: 0 } }, { due: { amountMinor: 0 } }] }],
  });
  expect((await world.books())['PROCESSOR']).toBe(before);
});

test('a refund that is sent again, and whose answer is lost for longer than the processor keeps keys, is made once', async () => {
  const lena = await world.account('lena@example.com');
  const { id: orderId } = await world.buy(lena);
  const { id: disputeId } = world.sandbox.card.bank.dispute(await world.checkoutOf(orderId));
  await world.settle();
  const { id } = dataOf<{ id: string }>(
    await world.refund(desk.viewer, { orderId, destination: 'CARD', amountMinor: 500 }),
    'supportOrderRefund',
  );
  await world.settle();
  world.sandbox.card.bank.decide(disputeId, 'won');
  await world.settle();
  const fault = { fault: 'error_after_effect', on: 'POST /v1/refunds' } as const;
  planFaults(world.sandbox.card.faults.api.next, fault);
  await world.ask(desk.viewer, 'mutation ($id: ID!) { supportRefundResolve(id: $id, decision: AGAIN) { status } }', { id });
  await world.settle();
  world.clock.advance(2 * DAY);
  await world.platform.queue.runNow('accounts.sweep');
  await world.settle();
  const ours = () => world.sandbox.card.refunds().filter(({ metadata }) => metadata?.['refund_id'] === id);
  expect(ours()).toHaveLength(1);
  const me = await world.ask(lena.viewer, '{ me { orders { refunds { status } } } }');
  expect(dataOf(me, 'me')).toEqual({ orders: [{ refunds: [{ status: 'DONE' }] }] });
});
