// Account credit is paid out to the charges that it came from.
import { expect, test } from 'vitest';
import { actsOf, deleteRows, rowOf, rowsOf } from '../../../../kit/tables.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { booksSince, payOutsIn } from './pay-outs.ts';

const { world, desk } = await withDesk(startBilling({ STAFF_DAILY_LIMIT: '100000', STAFF_GRANT_LIMIT: '700' }));
const pay = payOutsIn(world, desk);
let people = 0;
const someone = () => world.account(`paid-out${++people}@example.com`);
const refundedTo = async (orderId: string) => {
  const payment = await rowOf<{ processor_id: string }>(world.query, 'accounts.payment', { order_id: orderId });
  const refunds = world.sandbox.card.refunds().filter(({ payment_intent: intent }) => intent === payment?.processor_id);
  return refunds.map(({ amount }) => amount);
};

test('the oldest credit goes back first, each part to the card that paid it, and the books agree', async () => {
  const ada = await someone();
  const before = await world.books();
  const [first = '', second = ''] = await pay.creditByCards(ada, 2);
  expect(await pay.payable(ada)).toMatchObject({ amount: { amountMinor: 5_000 }, byItself: { amountMinor: 5_000 } });
  expect(await pay.payOut(ada, { amountMinor: 3_000 })).toMatchObject({
    amount: { amountMinor: 3_000 },
    parts: [
      { destination: 'CARD', byHand: false, amount: { amountMinor: 2_500 } },
      { destination: 'CARD', byHand: false, amount: { amountMinor: 500 } },
    ],
  });
  await world.settle();
  expect([await refundedTo(first), await refundedTo(second)]).toEqual([[2_500], [500]]);
  expect(await booksSince(world, before)).toEqual({ PROCESSOR: 2_000, CUSTOMER_CREDIT: -2_000 });
  expect((await pay.payOuts(ada)).map(({ status }) => status)).toEqual(['DONE', 'DONE']);
  expect(await pay.payOut(ada)).toMatchObject({ amount: { amountMinor: 2_000 } });
  await world.settle();
  expect(await world.balance(ada)).toBe(0);
  expect(await booksSince(world, before)).toEqual({});
  expect((await actsOf(world.query, ada.id)).filter((act) => act === 'SUPPORT credit.paid_out')).toHaveLength(2);
  expect((await world.mailed(ada.email)).filter(({ subject }) => /of credit is being paid out$/.test(subject))).toHaveLength(2);
  expect(codeOf(await pay.tryPayOut(ada))).toBe('parameter_invalid');
});

test('what support has given is never paid out, and pays first where it came first', async () => {
  const ben = await someone();
  await world.grant(ben.id, 1_000, desk.viewer);
  await pay.creditByCard(ben);
  // The order was paid by the gift and by 15.00 from the card, so at most 15.00 can be paid out.
  expect(await world.balance(ben)).toBe(2_500);
  expect(await pay.payable(ben)).toMatchObject({ amount: { amountMinor: 1_500 } });
  expect(codeOf(await pay.tryPayOut(ben, { amountMinor: 1_501 }))).toBe('parameter_invalid');
  await pay.payOut(ben);
  await world.settle();
  expect(await world.balance(ben)).toBe(1_000);
  expect(codeOf(await pay.tryPayOut(ben))).toBe('parameter_invalid');
});

test('credit that was spent and came back still belongs to the card that paid it first', async () => {
  const cleo = await someone();
  const first = await pay.creditByCard(cleo);
  const { id } = await world.buy(cleo);
  expect(await pay.payable(cleo)).toMatchObject({ amount: { amountMinor: 0 }, parts: [] });
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 700 });
  await pay.payOut(cleo);
  await world.settle();
  expect(await refundedTo(first)).toEqual([700]);
});

test('a card gets no more by refunds and pay-outs together than it has paid', async () => {
  const dan = await someone();
  const { id } = await world.buy(dan);
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 1_000 });
  await pay.payOut(dan);
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD', amountMinor: 1_501 }))).toBe('parameter_invalid');
  await world.refund(desk.viewer, { orderId: id, destination: 'CARD' });
  await world.settle();
  expect((await refundedTo(id)).sort((one, other) => one - other)).toEqual([1_000, 1_500]);
});

test('a charge that is disputed gets nothing, until the dispute is won', async () => {
  const eva = await someone();
  const id = await pay.creditByCard(eva);
  const { bank } = world.sandbox.card;
  const { id: dispute } = bank.dispute(await world.checkoutOf(id));
  await world.settle();
  expect(await pay.payable(eva)).toMatchObject({ amount: { amountMinor: 0 } });
  expect(codeOf(await pay.tryPayOut(eva))).toBe('parameter_invalid');
  bank.decide(dispute, 'won');
  await world.settle();
  expect(await pay.payable(eva)).toMatchObject({ amount: { amountMinor: 2_500 } });
});

test('a transfer that came too late is sent by a person, who says that it is sent', async () => {
  const fay = await someone();
  const before = await world.books();
  const reference = await pay.creditByTransfer(fay, 60_000);
  expect(await pay.payable(fay)).toMatchObject({
    byItself: { amountMinor: 0 },
    parts: [{ destination: 'BANK_TRANSFER', byHand: true, charge: `bank:${reference}`, amount: { amountMinor: 60_000 } }],
  });
  expect(codeOf(await pay.tryPayOut(fay))).toBe('parameter_invalid');
  await pay.payOut(fay, { payTo: 'DE02120300000000202051' });
  await world.settle();
  const waiting = dataOf<{ refund: { id: string; payTo: string }; order: object | null; account: { id: string } }[]>(
    await world.ask(desk.viewer, '{ supportFailedRefunds { refund { id payTo } order { id } account { id } } }'),
    'supportFailedRefunds',
  ).find(({ account }) => account.id === fay.id);
  expect(waiting).toMatchObject({ refund: { payTo: 'DE02120300000000202051' }, order: null });
  expect(await booksSince(world, before)).toEqual({ BANK: 60_000, REFUND_OWED: -60_000 });
  const id = waiting?.refund.id ?? '';
  expect(codeOf(await pay.resolve(id, 'AGAIN'))).toBe('action_not_allowed');
  expect(codeOf(await pay.resolve(id, 'SENT', ' '))).toBe('parameter_invalid');
  const answers = await Promise.all([pay.resolve(id, 'SENT', 'our transfer 1'), pay.resolve(id, 'SENT', 'our transfer 2')]);
  expect(answers.map(codeOf).sort()).toEqual(['action_not_allowed', undefined]);
  expect(await booksSince(world, before)).toEqual({});
});

test('the same request pays out once, and a pay-out needs a reason and an account', async () => {
  const gus = await someone();
  await pay.creditByCard(gus);
  const key = world.newKey();
  const first = await pay.tryPayOut(gus, { amountMinor: 100, key });
  expect(await pay.tryPayOut(gus, { amountMinor: 100, key })).toEqual(first);
  // The key also works if the first request died before its answer was kept.
  await deleteRows(world.query, 'accounts.idempotent_request', { key });
  expect(await pay.tryPayOut(gus, { amountMinor: 100, key })).toEqual(first);
  expect(await world.balance(gus)).toBe(2_400);
  expect(codeOf(await pay.tryPayOut(gus, { amountMinor: 0 }))).toBe('parameter_invalid');
  expect(codeOf(await pay.tryPayOut(gus, { reason: ' ' }))).toBe('parameter_invalid');
  expect(codeOf(await pay.tryPayOut(gus, { payTo: 'x'.repeat(201) }))).toBe('parameter_invalid');
  expect(codeOf(await pay.tryPayOut({ id: 'acct_none' }))).toBe('account_not_found');
  expect(codeOf(await pay.tryPayOut(gus, {}, gus.viewer))).toBe('forbidden');
  const mine = await world.ask(
    gus.viewer,
    '{ me { creditPayable { amount { amountMinor } } credit { payOuts { amount { amountMinor } } } } }',
  );
  expect(dataOf(mine, 'me')).toEqual({ creditPayable: null, credit: { payOuts: [{ amount: { amountMinor: 100 } }] } });
});

test('two pay-outs at once, and an order that spends the credit beside them: never more than there is', async () => {
  const hal = await someone();
  await pay.creditByCard(hal);
  const answers = await Promise.all([
    pay.tryPayOut(hal, { amountMinor: 2_500 }),
    pay.tryPayOut(hal, { amountMinor: 2_500 }),
    world.tryPlace(hal),
    pay.tryPayOut(hal, { amountMinor: 2_000 }),
    world.tryPlace(hal),
  ]);
  expect(answers.map(codeOf).filter((code) => code !== undefined && code !== 'parameter_invalid')).toEqual([]);
  const paid = (await pay.payOuts(hal)).reduce((sum, { amount }) => sum + amount.amountMinor, 0);
  const orders = await rowsOf<{ credit_minor: string }>(world.query, 'accounts.customer_order', { account_id: hal.id });
  const spent = orders.reduce((sum, { credit_minor: minor }) => sum + Number(minor), 0);
  expect(paid + spent + (await world.balance(hal))).toBe(2_500);
  await world.settle();
  expect(world.locks.deadlocks()).toBe(0);
});
