// Compares PayPal's own records with our ledger: fees, refunds, disputes and withdrawals, which PayPal reports late, in pages, with ids that are not unique.
import { expect, test } from 'vitest';
import { DAY, HOUR, toDay } from '#platform/clock.ts';
import { rowOf, rowsOf } from '../../../../kit/tables.ts';
import { dataOf } from '../../world.ts';
import { startPayPalBilling } from '../payments/paypal-world.ts';

const { world, paypal, desk, someone, buy, captureOf, run } = await startPayPalBilling();

interface Books {
  processor: string;
  readUntil: string | null;
  held: { amountMinor: number }[];
  booked: { amountMinor: number }[];
  uneven: { payment: string; kind: string; why: string }[];
  strange: { id: string }[];
}
const REPORT = `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) {
  payouts { processorId status amount { amountMinor } linesKnown }
  processors { processor readUntil held { amountMinor } booked { amountMinor } uneven { payment kind why } strange { id } } } }`;
const report = async () => {
  const days = { from: '2000-01-01', to: toDay(world.clock.now()) };
  const made = await world.ask(desk.viewer, REPORT, days);
  const { payouts, processors } = dataOf<{ payouts: object[]; processors: Books[] }>(made, 'supportFinance');
  return { payouts, books: processors.find(({ processor }) => processor === 'paypal') };
};
const read = async () => {
  await run('balances-read');
  await world.settle();
};
/** Lets time pass until PayPal reports what happened and its webhooks have come. */
const pass = async (ms: number) => {
  world.clock.advance(ms);
  await read();
};
const movements = (where: Record<string, string>) =>
  rowsOf<{ kind: string; amount_minor: string; fee_minor: string }>(world.query, 'accounts.processor_movement', {
    processor: 'paypal',
    ...where,
  });
/** Expects our ledger to have the balance of the PayPal account, to the cent. */
const expectEven = async () => {
  const { books } = await report();
  expect(books).toMatchObject({ uneven: [], strange: [] });
  expect(books?.held[0]?.amountMinor).toBe(books?.booked[0]?.amountMinor);
};

const ada = await someone();

test('the fee of a payment is booked once, three hours later, however often the books are read', async () => {
  const order = await buy(ada);
  await read();
  expect((await world.books())['FEES'] ?? 0).toBe(0);
  await pass(3 * HOUR);
  await pass(HOUR);
  const { id } = captureOf(order.id);
  expect(await movements({ payment_id: id })).toMatchObject([{ kind: 'PAYMENT', amount_minor: '2500', fee_minor: '136' }]);
  expect(await world.books()).toMatchObject({ FEES: 136, PAYPAL: 2_500 - 136 });
  await expectEven();
});

test('a payment that comes from a bank days later is read where it began', async () => {
  const order = await buy(ada, { email: 'slow@paypal.test', funding: 'echeck' });
  for (let day = 0; day < 7; day++) await pass(DAY);
  const { id } = captureOf(order.id);
  expect(await movements({ payment_id: id })).toEqual([]);
  paypal.settle(id);
  await world.settle();
  await pass(3 * HOUR);
  expect(await movements({ payment_id: id })).toHaveLength(1);
  await pass(3 * DAY);
  await expectEven();
});

test('a payment that was in review for forty days is read where it began', async () => {
  const order = await buy(ada, { email: 'reviewed@paypal.test', funding: 'echeck' });
  for (let day = 0; day < 40; day += 5) await pass(5 * DAY);
  const { id } = captureOf(order.id);
  paypal.settle(id);
  await world.settle();
  await pass(3 * HOUR);
  expect(await movements({ payment_id: id })).toHaveLength(1);
  await pass(3 * DAY);
  await expectEven();
});

test('what is given back, comes back, is disputed and charged back leaves both books even, and each fee booked once', async () => {
  const orders = [];
  for (let index = 0; index < 4; index++) orders.push(await buy(ada, { email: `payer-${index}@paypal.test` }));
  const [held, charged, won, back] = orders.map(({ id }) => captureOf(id).id) as [string, string, string, string];
  await pass(3 * HOUR);
  const before = (await world.books())['FEES'] ?? 0;
  paypal.resolve(paypal.dispute(held).dispute_id, 'RESOLVED_BUYER_FAVOUR');
  paypal.resolve(paypal.dispute(charged, { channel: 'EXTERNAL' }).dispute_id, 'RESOLVED_BUYER_FAVOUR');
  paypal.resolve(paypal.dispute(won).dispute_id, 'RESOLVED_SELLER_FAVOUR');
  paypal.refundByHand(back, '5.00');
  await world.settle();
  for (let day = 0; day < 4; day++) await pass(DAY);
  expect((await world.books())['FEES']).toBe(before + 1_500 + 2_000);
  expect((await movements({ payment_id: held })).map(({ kind }) => kind).toSorted()).toEqual([
    'DISPUTE',
    'DISPUTE',
    'DISPUTE_RETURNED',
    'FEE',
    'PAYMENT',
  ]);
  await expectEven();
});

test('a dispute of forty days is read to its end, which stands where it began', async () => {
  const order = await buy(ada);
  const { id } = captureOf(order.id);
  const dispute = paypal.dispute(id);
  await world.settle();
  for (let day = 0; day < 40; day += 4) await pass(4 * DAY);
  expect((await movements({ payment_id: id })).map(({ kind }) => kind).toSorted()).toEqual(['DISPUTE', 'PAYMENT']);
  paypal.resolve(dispute.dispute_id, 'RESOLVED_SELLER_FAVOUR');
  await world.settle();
  await pass(3 * HOUR);
  expect((await movements({ payment_id: id })).map(({ kind }) => kind).toSorted()).toEqual(['DISPUTE', 'DISPUTE_RETURNED', 'PAYMENT']);
  await pass(3 * DAY);
  await expectEven();
});

test('a refund of which no notice ever came is found, payment by payment, two days later', async () => {
  const order = await buy(ada);
  const { id } = captureOf(order.id);
  paypal.faults.webhooks.drop = 1;
  paypal.refundByHand(id, '7.00');
  await world.settle();
  paypal.faults.webhooks.drop = 0;
  await pass(DAY);
  expect((await report()).books).toMatchObject({ uneven: [] });
  await pass(2 * DAY);
  expect((await report()).books).toMatchObject({ uneven: [{ payment: id, kind: 'REFUND', why: 'NO_ENTRY' }] });
  // The sweep of PayPal's events finds what no webhook told.
  await run('processors-sweep');
  await world.settle();
  await expectEven();
});

test('a withdrawal to our bank is booked once, arrives, and one that is sent back tells the desk', async () => {
  const before = await world.books();
  const [taken, returned] = [paypal.withdraw('20.00'), paypal.withdraw('10.00')];
  await pass(3 * HOUR);
  expect((await report()).payouts).toMatchObject([{ status: 'IN_TRANSIT' }, { status: 'IN_TRANSIT' }]);
  paypal.settleWithdrawal(taken);
  paypal.settleWithdrawal(returned, 'SENT_BACK');
  await pass(DAY);
  const payouts = Object.fromEntries(
    ((await report()).payouts as { processorId: string; status: string; amount: { amountMinor: number } }[]).map(
      ({ processorId, status, amount }) => [processorId, [status, amount.amountMinor]],
    ),
  );
  expect(payouts).toEqual({ [taken]: ['PAID', 2_000], [returned]: ['FAILED', 1_000] });
  expect((await world.books())['BANK']).toBe((before['BANK'] ?? 0) + 2_000);
  expect(await rowsOf(world.query, 'accounts.mail', { kind: 'payout_failed' })).toHaveLength(1);
  await expectEven();
});

test('an app that may not read reports is paid all the same; once it may, nothing was missed', async () => {
  paypal.permitReports(false);
  const cursor = async () =>
    (await rowOf<{ read_until: Date }>(world.query, 'accounts.processor_reading', { processor: 'paypal' }))?.read_until;
  const stood = await cursor();
  for (let hour = 0; hour < 7; hour++) {
    world.clock.advance(HOUR);
    await run('balances-read').catch(() => {});
  }
  expect(await cursor()).toEqual(stood);
  const order = await buy(ada);
  expect(order.status).toBe('PENDING');
  const { id } = captureOf(order.id);
  paypal.permitReports(true);
  await pass(DAY);
  expect(await movements({ payment_id: id })).toHaveLength(1);
  await pass(2 * DAY);
  await expectEven();
});
