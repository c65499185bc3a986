// The files that finance downloads at the desk, as a browser gets them.
import { afterAll, expect, test } from 'vitest';
import { createFinanceRoute } from '../../../../../../subgraphs/accounts/billing/finance/doors/finance-files.ts';
import { payOutsIn } from '../../refunds/pay-outs.ts';
import { startBilling } from '../../world.ts';
import { openDoor } from '../../front.ts';
import { withDesk } from '../../with-desk.ts';

const { world, desk } = await withDesk(
  startBilling({
    DATEV: 'consultant=29098,client=55003,PROCESSOR=1360,CUSTOMER_CREDIT=1718,REVENUE=8400,TAX=1776',
  }),
);
const door = await openDoor(world, createFinanceRoute, desk.viewer);
afterAll(() => door.close());

const ada = await world.account('ada@example.com');
await world.buy(ada, { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 });
const order = await world.buy(ada);
await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', amountMinor: 1_234, reason: '=HYPERLINK("x")' });
const get = (name: string, by = 'desk', days = 'from=2026-01-01&to=2026-01-31') => door.get(`/finance/${name}?${days}`, by);
const rowsOf = async (name: string) => (await (await get(name)).text()).trimEnd().split('\r\n');

test('invoices, notes, payments and refunds have a line each, and journals one for each entry', async () => {
  expect((await rowsOf('invoices.csv')).map((row) => row.split(',').slice(-7, -2).join(' '))).toEqual([
    'currency net tax_percent tax total',
    'USD 25.00 19 4.75 29.75',
    'USD 25.00 0 0.00 25.00',
  ]);
  expect(await rowsOf('credit-notes.csv')).toHaveLength(2);
  expect((await rowsOf('payments.csv')).slice(1).map((row) => row.split(',').at(-1))).toEqual(['29.75', '25.00']);
  expect((await rowsOf('refunds.csv')).at(1)).toMatch(/,12\.34,0\.00,"'=HYPERLINK\(""x""\)",REFUND,acct_\w+,$/);
  const entries = (await rowsOf('journals.csv')).slice(1).map((row) => row.split(','));
  const cents = (column: number) => entries.reduce((sum, cells) => sum + Math.round(Number(cells[column]) * 100), 0);
  expect(cents(7)).toBe(cents(8));
  expect(cents(7)).toBe(2_975 + 2_500 + 1_234);
});

test('journals come as a posting batch in Windows-1252', async () => {
  const answer = await get('journals.datev.csv');
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="EXTF_journals-2026-01-01-2026-01-31.csv"');
  const lines = Buffer.from(await answer.arrayBuffer())
    .toString('latin1')
    .trimEnd()
    .split('\r\n');
  expect(lines[0]).toMatch(/^"EXTF";700;21;/);
  expect(
    lines.slice(2).map((line) =>
      line
        .split(';')
        .filter((_, index) => [0, 6, 7].includes(index))
        .join(' '),
    ),
  ).toEqual(['25,00 1360 8400', '4,75 1360 1776', '25,00 1360 8400', '12,34 8400 1718']);
});

test('a dispute has a line with what the bank and the processor have kept', async () => {
  const { id } = await world.buy(await world.account('ben@example.com'));
  world.sandbox.card.bank.dispute(await world.checkoutOf(id));
  await world.settle();
  const [head = '', row = ''] = await rowsOf('disputes.csv');
  const cells = Object.fromEntries(head.split(',').map((name, at) => [name, row.split(',')[at]]));
  expect(cells).toMatchObject({ order_id: id, status: 'NEEDS_RESPONSE', amount: '25.00', withdrawn: '25.00', fee: '15.00', closed_at: '' });
});

test('a customer gets none, nobody without a session does, and wrong days are said before a byte is sent', async () => {
  const { token: customers } = await world.logIn(ada.email);
  expect((await get('invoices.csv', customers)).status).toBe(403);
  expect((await get('invoices.csv', '')).status).toBe(401);
  expect((await get('invoices.csv', 'desk', 'from=2026-01-32&to=2026-01-31')).status).toBe(400);
  expect((await get('invoices.datev.csv')).status).toBe(400);
});

test('a pay-out of credit is a line of the refunds, with the charge that it goes back to', async () => {
  const cleo = await world.account('cleo@example.com');
  const { id } = await world.buy(cleo);
  await world.refund(desk.viewer, { orderId: id, destination: 'CREDIT', amountMinor: 700 });
  await payOutsIn(world, desk).payOut(cleo);
  await world.settle();
  const row = (await rowsOf('refunds.csv')).find((line) => line.startsWith('pout_'));
  expect(row).toMatch(
    new RegExp(`^pout_\\w+,[^,]+,${id},,CARD,DONE,.*,USD,7\\.00,0\\.00,You asked for it,PAY_OUT,${cleo.id},card:pi_\\w+$`),
  );
});
