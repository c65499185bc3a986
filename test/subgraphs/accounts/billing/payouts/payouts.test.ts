// Compares the card processor's own records with our ledger: fees, payouts to our bank, and differences.
import { expect, test } from 'vitest';
import { DAY, HOUR, toDay } from '#platform/clock.ts';
import { dataOf } from '../../world.ts';
import { rowOf, rowsOf, setRows } from '../../../../kit/tables.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling({}, { withPayPal: false }));
const { bank } = world.sandbox.card;

interface Money {
  amountMinor: number;
}
interface Report {
  payouts: {
    processorId: string;
    status: string;
    failure: string | null;
    linesKnown: boolean;
    amount: Money;
    sums: { kind: string; lines: number; amount: Money; fees: Money; net: Money }[];
    lines: { items: { id: string; kind: string; payment: string | null; fee: Money }[]; next: string | null };
  }[];
  processors: {
    processor: string;
    readUntil: string | null;
    held: Money[];
    booked: Money[];
    uneven: { payment: string; orderId: string | null; kind: string; why: string; booked: Money; moved: Money }[];
    strange: { id: string; kind: string; words: string }[];
  }[];
}

const MONEY = '{ amountMinor }';
const REPORT = `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) {
  payouts { processorId status failure linesKnown amount ${MONEY} sums { kind lines amount ${MONEY} fees ${MONEY} net ${MONEY} }
    lines(first: 2) { items { id kind payment fee ${MONEY} } next } }
  processors { processor readUntil held ${MONEY} booked ${MONEY} uneven { payment orderId kind why booked ${MONEY} moved ${MONEY} } strange { id kind words } } } }`;

const report = async (): Promise<Report> =>
  dataOf(await world.ask(desk.viewer, REPORT, { from: '2000-01-01', to: toDay(world.clock.now()) }), 'supportFinance');
const read = async () => {
  await world.platform.queue.runNow('accounts.balances-read');
  await world.settle();
};
/** Lets time pass for us and for the processor. */
const pass = async (ms: number) => {
  world.clock.advance(ms);
  world.sandbox.card.tick();
  await read();
};
const intentOf = async (orderId: string) =>
  (await rowOf<{ processor_id: string }>(world.query, 'accounts.payment', { order_id: orderId }))?.processor_id;

const ada = await world.account('ada@example.com');

test('the fee of a charge is booked once, however often the books are read', async () => {
  const order = await world.buy(ada);
  await read();
  await read();
  const [charged] = bank.entries();
  expect(await world.books(charged?.id ?? '')).toEqual({ FEES: charged?.fee, PROCESSOR: -(charged?.fee ?? 0) });
  expect((await world.books())['PROCESSOR']).toBe(charged?.net);
  expect(await intentOf(order.id)).toBe((await rowOf(world.query, 'accounts.processor_movement'))?.['payment_id']);
});

test('a payout is booked once, and its lines are known with their sums', async () => {
  const before = (await world.books())['PROCESSOR'] ?? 0;
  while (bank.payouts().length === 0) await pass(DAY);
  await pass(2 * HOUR);
  expect(await world.books()).toMatchObject({ BANK: before });
  expect((await world.books())['PROCESSOR'] ?? 0).toBe(0);
  const { payouts, processors } = await report();
  const fees = bank.entries()[0]?.fee ?? 0;
  expect(payouts).toMatchObject([
    {
      status: 'IN_TRANSIT',
      linesKnown: true,
      amount: { amountMinor: before },
      sums: [
        { kind: 'PAYMENT', lines: 1, amount: { amountMinor: before + fees }, fees: { amountMinor: fees }, net: { amountMinor: before } },
      ],
      lines: { items: [{ kind: 'PAYMENT', fee: { amountMinor: fees } }], next: null },
    },
  ]);
  expect(processors).toMatchObject([
    { processor: 'card', held: [{ amountMinor: 0 }], booked: [{ amountMinor: 0 }], uneven: [], strange: [] },
  ]);
  await pass(DAY);
  expect((await report()).payouts).toMatchObject([{ status: 'PAID' }]);
});

test('a payout that our bank sends back gives the money back to the books, tells the desk, and is a line of the next one', async () => {
  const [payout] = bank.payouts();
  bank.failPayout(payout?.id ?? '');
  await read();
  const books = await world.books();
  expect({ bank: books['BANK'] ?? 0, processor: books['PROCESSOR'] }).toEqual({ bank: 0, processor: payout?.amount });
  expect((await report()).payouts).toMatchObject([{ status: 'FAILED', failure: 'The bank account has been closed.' }]);
  expect(await rowsOf(world.query, 'accounts.mail', { kind: 'payout_failed' })).toHaveLength(1);
  bank.changeAccount();
  await pass(DAY);
  await pass(2 * HOUR);
  expect((await report()).payouts).toMatchObject([
    {
      status: 'IN_TRANSIT',
      amount: { amountMinor: payout?.amount },
      sums: [{ kind: 'PAYOUT_RETURNED', lines: 1, net: { amountMinor: payout?.amount } }],
    },
    { status: 'FAILED' },
  ]);
});

test('the fee of a dispute is booked once, whoever comes first, and stands with the dispute', async () => {
  for (const readsFirst of [true, false]) {
    const { id: orderId } = await world.buy(ada);
    const dispute = bank.dispute((await world.checkoutOf(orderId)) ?? '');
    if (readsFirst) await read();
    await world.settle();
    await read();
    const fee = dispute.balance_transactions[0];
    expect(await world.books(fee?.id ?? '')).toEqual({ DISPUTED: -(fee?.amount ?? 0), FEES: fee?.fee, PROCESSOR: fee?.net });
    expect(await rowOf(world.query, 'accounts.dispute', { order_id: orderId })).toMatchObject({
      fee_minor: String(fee?.fee),
      fee_currency: 'USD',
    });
  }
});

test('what the processor bills by itself is a fee, and a balance below zero is paid out only when it is made up for', async () => {
  const before = (await world.books())['FEES'] ?? 0;
  const bill = bank.bill(1_234, 'Radar');
  await read();
  expect(await world.books(bill.id)).toEqual({ FEES: 1_234, PROCESSOR: -1_234 });
  expect((await world.books())['FEES']).toBe(before + 1_234);
});

test('what one side has and the other has not is found, order by order, two days later', async () => {
  const order = await world.buy(ada);
  const payment = await intentOf(order.id);
  // Somebody makes a refund at the processor, and its webhook never comes.
  const { webhooks } = world.sandbox.card.faults;
  webhooks.drop = 1;
  bank.refund(payment ?? '', { amount: 700 });
  await pass(DAY);
  expect((await report()).processors).toMatchObject([{ uneven: [] }]);
  await pass(2 * DAY);
  webhooks.drop = 0;
  const missing = { payment, orderId: order.id, kind: 'REFUND', why: 'NO_ENTRY', booked: { amountMinor: 0 }, moved: { amountMinor: -700 } };
  expect((await report()).processors).toMatchObject([{ uneven: [missing], strange: [] }]);
  // The reverse: the processor does not know a payment that we have booked.
  const other = await world.buy(ada);
  const known = await intentOf(other.id);
  await setRows(world.query, 'accounts.payment', { processor_id: 'pi_unknown' }, { order_id: other.id });
  await pass(3 * DAY);
  const { uneven } = (await report()).processors[0] ?? { uneven: [] };
  // Sorted here, as the report sorts by the processor's id, which is random.
  expect(uneven.map(({ payment: id, kind, why }) => `${id} ${kind} ${why}`).toSorted()).toEqual(
    [`${payment} REFUND NO_ENTRY`, `${known} PAYMENT NO_ENTRY`, 'pi_unknown PAYMENT NO_MOVEMENT'].toSorted(),
  );
  await setRows(world.query, 'accounts.payment', { processor_id: known }, { order_id: other.id });
  const [books] = (await report()).processors;
  // The difference of the sums is exactly what was found.
  expect((books?.booked[0]?.amountMinor ?? 0) - (books?.held[0]?.amountMinor ?? 0)).toBe(700);
});

test('an outage of the processor leaves the cursor where it was, and nothing is missed or booked twice afterwards', async () => {
  const order = await world.buy(ada);
  const { api } = world.sandbox.card.faults;
  api.ratios = { error_before_effect: 1 };
  const cursor = async () => (await rowOf<{ read_until: Date }>(world.query, 'accounts.processor_reading'))?.read_until;
  const before = await cursor();
  world.clock.advance(HOUR);
  await world.platform.queue.runNow('accounts.balances-read').catch(() => {});
  await world.settle().catch(() => {});
  expect(await cursor()).toEqual(before);
  api.ratios = {};
  await pass(HOUR);
  const payment = await intentOf(order.id);
  expect(await rowsOf(world.query, 'accounts.processor_movement', { payment_id: payment })).toHaveLength(1);
});

test('the file of a period has a line for each movement, with the payout that it is in', async () => {
  const text = 'query ($from: Date!, $to: Date!) { supportFinanceExport(kind: PAYOUTS, from: $from, to: $to) { text next } }';
  const days = { from: '2000-01-01', to: toDay(world.clock.now()) };
  const part = dataOf<{ text: string; next: string | null }>(await world.ask(desk.viewer, text, days), 'supportFinanceExport');
  const [head, ...lines] = part.text.trimEnd().split('\r\n');
  expect(head).toContain('processor_id,kind,subject,payment,order_id,currency,amount,fee,net,payout,payout_status');
  expect(lines).toHaveLength(bank.entries().length);
  const first = bank.payouts()[0]?.id ?? '';
  expect(lines.filter((line) => line.includes(`,${first},FAILED,`)).map((line) => line.split(',')[4])).toEqual(['PAYMENT', 'PAYOUT']);
});
