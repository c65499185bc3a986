// Figures by months and days, and the margin of products: revenue is what the ledger moved by, recurring revenue what the report says, costs what sellers counted.
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions());

const MONEY = '{ amountMinor }';
const POINT = `from to revenue ${MONEY} cost ${MONEY} margin ${MONEY} recurring ${MONEY} customers lost churnBasisPoints perCustomer ${MONEY} bytes`;
const ask = (query: string, variables: object, viewer = desk.viewer) => world.ask(viewer, query, { ...variables });
const series = async (variables: object) =>
  dataOf<any[]>(
    await ask(
      `query ($from: Date, $to: Date, $step: FigureStep! = MONTH) { supportFigures(from: $from, to: $to, step: $step) { ${POINT} } }`,
      variables,
    ),
    'supportFigures',
  );
const products = async (from: string, to: string) =>
  dataOf<any[]>(
    await ask(
      `query ($from: Date, $to: Date) { supportProductFigures(from: $from, to: $to) { seller product revenue ${MONEY} cost ${MONEY} margin ${MONEY} marginBasisPoints costDays bytes unitDays } }`,
      { from, to },
    ),
    'supportProductFigures',
  );
const report = async (from: string, to: string) =>
  dataOf<any>(
    await ask(
      `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) { trialBalance { ledger debit ${MONEY} credit ${MONEY} }
        recurringRevenue { closing ${MONEY} } customers { lost closing churnBasisPoints perCustomer ${MONEY} } } }`,
      { from, to },
    ),
    'supportFinance',
  );
const file = async (kind: string, from: string, to: string) =>
  parseCsv(
    dataOf<{ text: string }>(
      await ask(
        'query ($kind: FinanceExportKind!, $from: Date!, $to: Date!) { supportFinanceExport(kind: $kind, from: $from, to: $to) { text } }',
        { kind, from, to },
      ),
      'supportFinanceExport',
    ).text,
  );
/** The rows of a file by the names of its columns; no cell of these has a comma. */
function parseCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\r\n');
  const names = head.split(',');
  return lines.map((row) => Object.fromEntries(row.split(',').map((cell, index) => [names[index], cell])));
}
const counted = async (
  seller: 'residential' | 'compute' | 'static',
  day: string,
  ...rows: [product: string, units: string, costMicros: string][]
) => {
  const unit = { residential: 'BYTES', compute: 'SERVER_SECONDS', static: 'ADDRESS_SECONDS' } as const;
  await inTransaction(world.context(), (tx) =>
    appendEvents(tx.em, {
      type: 'costs.counted',
      at: world.clock.now(),
      accountId: null,
      subject: seller,
      data: { seller, day, products: rows.map(([product, units, costMicros]) => ({ product, unit: unit[seller], units, costMicros })) },
    }),
  );
  await world.subgraph.reader.drain();
};

const line = (amountMinor: number) => ({ label: 'VPS', quantity: 1, amountMinor });
// The clock stands at 15 January 2026, 12:00.
const [ada, bo, cy] = [
  await world.account('ada@example.com'),
  await world.account('bo@example.com'),
  await world.account('cy@example.com'),
];
await world.subscribe(ada, { lines: [line(1_201)] });
const quarter = await world.subscribe(bo, { months: 3, lines: [line(9_001)] });
const bought = await world.buy(cy);
dataOf(await world.refund(desk.viewer, { orderId: bought.id, destination: 'CREDIT', amountMinor: 1_000 }), 'supportOrderRefund');
dataOf(await world.ask(bo.viewer, 'mutation ($id: ID!) { subscriptionCancel(id: $id) { id } }', { id: quarter.id }), 'subscriptionCancel');
for (let day = 0; day < 95; day += 1) await world.pass(DAY);

test('revenue of each month is what the ledger REVENUE moved by, and what recurs, churns and is paid per customer is what the report says', async () => {
  const points = await series({ from: '2026-01-01', to: '2026-04-30' });
  expect(points.map(({ from, to }) => [from, to])).toEqual([
    ['2026-01-01', '2026-01-31'],
    ['2026-02-01', '2026-02-28'],
    ['2026-03-01', '2026-03-31'],
    ['2026-04-01', '2026-04-30'],
  ]);
  for (const point of points) {
    const { trialBalance, recurringRevenue, customers } = await report(point.from, point.to);
    const revenue = trialBalance.find(({ ledger }: { ledger: string }) => ledger === 'REVENUE');
    expect(point.revenue.amountMinor, point.from).toBe(revenue ? revenue.credit.amountMinor - revenue.debit.amountMinor : 0);
    expect(point.recurring.amountMinor).toBe(recurringRevenue.reduce((sum: number, row: any) => sum + row.closing.amountMinor, 0));
    expect({ ...customers, perCustomer: customers.perCustomer[0] ?? null }).toMatchObject({
      lost: point.lost,
      closing: point.customers,
      churnBasisPoints: point.churnBasisPoints,
      perCustomer: point.perCustomer,
    });
  }
  // 90.01 in three months are 30.00 a month, and 12.01 beside it.
  expect(points[0]).toMatchObject({ revenue: { amountMinor: 1_201 + 9_001 + 1_500 }, recurring: { amountMinor: 4_201 }, customers: 2 });
  expect(points[3]).toMatchObject({ recurring: { amountMinor: 1_201 }, customers: 1, lost: 1, churnBasisPoints: 5_000 });
});

test('days add up to their month', async () => {
  const days = await series({ from: '2026-01-01', to: '2026-01-31', step: 'DAY' });
  expect(days).toHaveLength(31);
  expect(days.reduce((sum, { revenue }) => sum + revenue.amountMinor, 0)).toBe(11_702);
});

test('what sellers count is the cost: to the cent over a month, and a day that is counted again replaces what was said of it', async () => {
  expect((await series({ from: '2026-01-01', to: '2026-01-31' }))[0]).toMatchObject({ cost: null, margin: null, bytes: '0' });
  const gigabyte = '1000000000';
  // A third of a cent a day; thirty days are ten cents.
  for (let day = 1; day <= 30; day += 1)
    await counted('residential', `2026-01-${String(day).padStart(2, '0')}`, ['PREMIUM', gigabyte, '333334'], ['MOBILE', '5', '0']);
  await counted('compute', '2026-01-20', ['PLANK', '86400', '100000000']);
  await counted('compute', '2026-01-20', ['PLANK', '129600', '150500000']);
  const [january] = await series({ from: '2026-01-01', to: '2026-01-31' });
  expect(january).toMatchObject({ cost: { amountMinor: 161 }, margin: { amountMinor: 11_702 - 161 }, bytes: '30000000150' });
  const rows = await products('2026-01-01', '2026-01-31');
  const plank = rows.find(({ product }) => product === 'PLANK');
  expect(plank).toMatchObject({ cost: { amountMinor: 151 }, costDays: 1, unitDays: 150, bytes: null });
  expect(rows.find(({ product }) => product === 'MOBILE')).toMatchObject({
    revenue: { amountMinor: 0 },
    cost: { amountMinor: 0 },
    marginBasisPoints: null,
    costDays: 30,
  });
  expect(rows.reduce((sum, { revenue }) => sum + revenue.amountMinor, 0)).toBe(january.revenue.amountMinor);
});

test('a seller that has counted nothing has no margin, and one of another month has none here', async () => {
  const rows = await products('2026-02-01', '2026-02-28');
  expect(rows.map(({ cost, margin, costDays }) => [cost, margin, costDays])).toEqual(rows.map(() => [null, null, 0]));
});

test('the files say the same', async () => {
  const [january] = await file('FIGURES', '2026-01-01', '2026-01-31');
  expect(january).toMatchObject({ revenue: '117.02', cost: '1.61', margin: '115.41', recurring_per_month: '42.01', paying_customers: '2' });
  expect(await file('FIGURES_BY_DAY', '2026-01-01', '2026-01-31')).toHaveLength(31);
  const margins = await file('MARGINS', '2026-01-01', '2026-01-31');
  expect(margins.find(({ product }) => product === 'PLANK')).toMatchObject({ cost: '1.51', address_or_server_days: '1.50' });
});

test('a file of more products than one part has ends', async () => {
  const products = Array.from({ length: 1_000 }, (_, index) => `isp-${index}`);
  await counted('static', '2026-03-10', ...products.map((product): [string, string, string] => [product, '86400', '10000']));
  const parts: string[] = [];
  let after: string | null = null;
  do {
    const part: { text: string; next: string | null } = dataOf(
      await ask(
        `query ($after: ID) { supportFinanceExport(kind: MARGINS, from: "2026-03-10", to: "2026-03-10", after: $after) { text next } }`,
        { after },
      ),
      'supportFinanceExport',
    );
    parts.push(part.text);
    after = part.next;
  } while (after !== null && parts.length < 4);
  expect(parts.map((text) => text.split('\r\n').length - 1)).toEqual([1_001, 0]);
});

test('at most 92 spans, days in their order, and only for staff of finance', async () => {
  expect(codeOf(await ask('{ supportFigures(from: "2020-01-01", to: "2026-01-01", step: DAY) { from } }', {}))).toBe('parameter_invalid');
  expect(codeOf(await ask('{ supportFigures(from: "2026-02-01", to: "2026-01-01") { from } }', {}))).toBe('parameter_invalid');
  expect(codeOf(await ask('{ supportFigures { from } }', {}, ada.viewer))).toBe('forbidden');
  expect(await series({})).toHaveLength(12);
  expect(await series({ step: 'DAY' })).toHaveLength(30);
});
