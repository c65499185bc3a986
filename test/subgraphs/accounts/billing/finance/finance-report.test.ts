// The reports of a small business over two months: each sum is compared with the ledger, to the cent.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import { setRows } from '../../../../kit/tables.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions({ SELLER_COUNTRY: 'DE', TAX_RATES: 'DE=19,FR=20' }));

const MONEY = '{ amountMinor }';
const TAX = `country basisPoints hasTaxId documents net ${MONEY} tax ${MONEY}`;
const REPORT = `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) { from to datev
  trialBalance { ledger opening ${MONEY} debit ${MONEY} credit ${MONEY} closing ${MONEY} }
  taxReturn { ${TAX} } oneStopShop { ${TAX} } sales { seller product invoices sold ${MONEY} givenBack ${MONEY} net ${MONEY} }
  deferredRevenue { months total ${MONEY} schedule { month amount ${MONEY} } }
  recurringRevenue { seller subscriptions opening ${MONEY} added ${MONEY} returned ${MONEY} expanded ${MONEY} contracted ${MONEY} churned ${MONEY} closing ${MONEY} }
  customers { opening lost closing churnBasisPoints perCustomer ${MONEY} }
  receivables { fromDays toDays orders amount ${MONEY} } } }`;
const DETAILS = 'mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { country } }';

interface Money {
  amountMinor: number;
}
interface Report {
  datev: boolean;
  trialBalance: { ledger: string; opening: Money; debit: Money; credit: Money; closing: Money }[];
  taxReturn: { country: string | null; basisPoints: number; net: Money; tax: Money }[];
  oneStopShop: { country: string | null; tax: Money }[];
  sales: { seller: string; product: string; sold: Money; givenBack: Money; net: Money }[];
  deferredRevenue: { months: number; total: Money; schedule: { month: string; amount: Money }[] }[];
  recurringRevenue: Record<'opening' | 'added' | 'returned' | 'expanded' | 'contracted' | 'churned' | 'closing', Money>[];
  customers: { opening: number; lost: number; closing: number; churnBasisPoints: number | null; perCustomer: Money[] };
  receivables: { fromDays: number; toDays: number | null; orders: number; amount: Money }[];
}

const reportOf = async (from: string, to: string) => dataOf<Report>(await world.ask(desk.viewer, REPORT, { from, to }), 'supportFinance');
const sum = (amounts: readonly Money[]) => amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);
const moved = ({ trialBalance }: Report, ledger: string) => {
  const line = trialBalance.find((each) => each.ledger === ledger);
  return (line?.credit.amountMinor ?? 0) - (line?.debit.amountMinor ?? 0);
};
const line = (amountMinor: number) => ({ label: 'VPS', quantity: 1, amountMinor });

async function customer(email: string, country: string, taxId?: string) {
  const person = await world.account(email);
  dataOf(await world.ask(person.viewer, DETAILS, { input: { name: email, address: ['1 Street'], country, taxId } }), 'billingDetailsSet');
  return person;
}

// The clock stands at 15 January 2026, 12:00.
const ada = await customer('ada@example.com', 'DE');
const bo = await customer('bo@example.com', 'FR');
const cy = await customer('cy@example.com', 'US');
const month = await world.subscribe(ada, { lines: [line(1_200)], taxBasisPoints: 1_900 });
const quarter = await world.subscribe(bo, { months: 3, lines: [line(9_000)], taxBasisPoints: 2_000 });
const bought = await world.buy(cy);
dataOf(await world.refund(desk.viewer, { orderId: bought.id, destination: 'CREDIT', amountMinor: 1_000 }), 'supportOrderRefund');
world.clock.advance(3 * DAY);
await world
  .change(ada, month.id, { lines: [line(2_000)], basedOn: 1 }, { lines: [line(700)], taxBasisPoints: 1_900 })
  .then(async ({ id }) => {
    await world.pay(id);
    await world.settle();
    await world.adjusted();
  });

test('what was sold and taxed is what the ledgers REVENUE and TAX moved by', async () => {
  const january = await reportOf('2026-01-01', '2026-01-31');
  expect(sum(january.sales.map(({ net }) => net))).toBe(moved(january, 'REVENUE'));
  expect(sum(january.taxReturn.map(({ tax }) => tax))).toBe(moved(january, 'TAX'));
  expect(january.taxReturn.map(({ country, basisPoints, net, tax }) => [country, basisPoints, net.amountMinor, tax.amountMinor])).toEqual([
    ['DE', 1_900, 1_900, 361],
    ['FR', 2_000, 9_000, 1_800],
    ['US', 0, 1_500, 0],
  ]);
  expect(january.oneStopShop.map(({ country, tax }) => [country, tax.amountMinor])).toEqual([['FR', 1_800]]);
  expect(january.sales.map(({ seller, sold, givenBack }) => [seller, sold.amountMinor, givenBack.amountMinor])).toEqual([
    ['compute', 10_900, 0],
    ['residential', 2_500, 1_000],
  ]);
  expect(sum(january.trialBalance.map(({ closing }) => closing))).toBe(0);
  expect(january.datev).toBe(false);
});

test('what is paid for time to come is deferred, and all of it is earned in its months', async () => {
  const january = await reportOf('2026-01-01', '2026-01-31');
  expect(january.deferredRevenue.map(({ months }) => months)).toEqual([1, 3]);
  for (const { total, schedule } of january.deferredRevenue) expect(sum(schedule.map(({ amount }) => amount))).toBe(total.amountMinor);
  // The period runs from 15 January to 15 April: at the end of January 16.5 of its 90 days have passed.
  expect(january.deferredRevenue[1]?.total.amountMinor).toBe(Math.round((9_000 * (90 - 16.5)) / 90));
});

test('what recurs is counted by the month, with what grew and what went', async () => {
  const january = await reportOf('2026-01-01', '2026-01-31');
  expect(january.recurringRevenue).toMatchObject([
    { added: { amountMinor: 1_200 + 3_000 }, expanded: { amountMinor: 800 }, churned: { amountMinor: 0 }, closing: { amountMinor: 5_000 } },
  ]);
  expect(january.customers).toEqual({ opening: 0, lost: 0, closing: 2, churnBasisPoints: null, perCustomer: [{ amountMinor: 2_500 }] });
});

test('a renewal that is not paid is owed, and a customer who is gone is churn', async () => {
  dataOf(
    await world.ask(bo.viewer, 'mutation ($id: ID!) { subscriptionCancel(id: $id) { id } }', { id: quarter.id }),
    'subscriptionCancel',
  );
  await setRows(world.query, 'accounts.billing_subscription', { card_id: null }, { id: month.id });
  world.clock.set('2026-02-18T12:00:00Z');
  await world.rest();
  const february = await reportOf('2026-02-01', '2026-02-28');
  expect(february.receivables).toEqual([{ fromDays: 0, toDays: 8, orders: 1, amount: { amountMinor: 2_380 } }]);
  world.clock.set('2026-04-20T12:00:00Z');
  await world.pass(DAY);
  const later = await reportOf('2026-02-01', '2026-04-30');
  expect(later.recurringRevenue).toMatchObject([
    { opening: { amountMinor: 5_000 }, churned: { amountMinor: 5_000 }, closing: { amountMinor: 0 } },
  ]);
  expect(later.customers).toEqual({ opening: 2, lost: 2, closing: 0, churnBasisPoints: 10_000, perCustomer: [] });
});

test('days that do not exist or run backwards are refused, and so is everybody but staff', async () => {
  expect(codeOf(await world.ask(desk.viewer, REPORT, { from: '2026-02-30', to: '2026-03-01' }))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(desk.viewer, REPORT, { from: '2026-03-02', to: '2026-03-01' }))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(ada.viewer, REPORT, { from: '2026-03-01', to: '2026-03-01' }))).toBe('forbidden');
});
