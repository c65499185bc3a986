// The tax returns of a German seller over three quarters: in euros, by the exchange rates that the law requires, with what must be declared separately.
import { expect, test } from 'vitest';
import { FINANCE_COMMANDS } from '../../../../../subgraphs/accounts/commands/desk-finance.ts';
import type { Words } from '../../../../../subgraphs/accounts/commands/desk.ts';
import { dataOf } from '../../world.ts';
import { startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const SELLER = { SELLER_COUNTRY: 'DE', SELLER_TAX_ID: 'DE123456100', SELLER_CURRENCY: 'EUR', TAX_RATES: 'DE=19,FR=20' };
const { world, desk } = await withDesk(startBilling(SELLER));

const MONEY = '{ amountMinor currency }';
const LINE = `country basisPoints hasTaxId documents net ${MONEY} tax ${MONEY} localNet ${MONEY} localTax ${MONEY}`;
const REPORT = `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) { taxReturn { ${LINE} } oneStopShop { ${LINE} }
  oneStopShopCorrections { quarter country documents tax ${MONEY} localTax ${MONEY} }
  recapitulativeStatement { country taxId documents net ${MONEY} localNet ${MONEY} } } }`;
interface Money {
  amountMinor: number;
  currency: string;
}
interface Line {
  country: string;
  documents: number;
  net: Money;
  tax: Money;
  localNet: Money | null;
  localTax: Money | null;
}
interface Report {
  taxReturn: Line[];
  oneStopShop: Line[];
  oneStopShopCorrections: { quarter: string; country: string; documents: number; tax: Money; localTax: Money | null }[];
  recapitulativeStatement: { country: string; taxId: string; documents: number; net: Money; localNet: Money | null }[];
}
const filed = async (from: string, to: string) => dataOf<Report>(await world.ask(desk.viewer, REPORT, { from, to }), 'supportFinance');
const euros = (amountMinor: number): Money => ({ amountMinor, currency: 'EUR' });
const dollars = (amountMinor: number): Money => ({ amountMinor, currency: 'USD' });
const rate = (day: string, amount: string) =>
  FINANCE_COMMANDS['exchange-rate']?.run(world.as(desk.viewer), { of: 'EUR', amount, from: day, reference: 'ECB' });
const run = (command: string, words: Partial<Words> & { of: string }) => FINANCE_COMMANDS[command]?.run(world.as(desk.viewer), words);

async function buyer(email: string, country: string, taxId?: string) {
  const person = await world.account(email);
  await world.moveTo(person, country, { name: 'A Customer', ...(taxId && { taxId }) });
  await world.platform.queue.drain();
  return person;
}
const at = (taxBasisPoints: number) => ({ taxBasisPoints, taxMinor: taxBasisPoints / 4, totalMinor: 2_500 + taxBasisPoints / 4 });

// The clock stands at 15 January 2026.
await rate('2026-01-14', '0.9');
await rate('2026-03-31', '0.8');
const home = await buyer('home@example.com', 'DE');
const france = await buyer('france@example.com', 'FR');
const business = await buyer('business@example.com', 'FR', 'FR12345678100');
await world.buy(home, at(1_900));
const sold = await world.buy(france, at(2_000));
await world.buy(business);

test('a tax return says what the documents say in euros, each by the rate of its day', async () => {
  const { taxReturn } = await filed('2026-01-01', '2026-03-31');
  expect(taxReturn).toMatchObject([
    { country: 'DE', tax: dollars(475), localTax: euros(428), localNet: euros(2_250) },
    { country: 'FR', basisPoints: 0, hasTaxId: true, tax: dollars(0), localTax: euros(0), localNet: euros(2_250) },
    { country: 'FR', basisPoints: 2_000, tax: dollars(500), localTax: euros(450), localNet: euros(2_250) },
  ]);
});

test('the one-stop shop goes by the rate of the last day of the quarter', async () => {
  const { oneStopShop, oneStopShopCorrections } = await filed('2026-01-01', '2026-03-31');
  expect(oneStopShop).toMatchObject([{ country: 'FR', net: dollars(2_500), localNet: euros(2_000), localTax: euros(400) }]);
  expect(oneStopShopCorrections).toEqual([]);
});

test('what is sold to businesses that owe the tax themselves is listed by their VAT id', async () => {
  const { recapitulativeStatement } = await filed('2026-01-01', '2026-03-31');
  expect(recapitulativeStatement).toEqual([
    { country: 'FR', taxId: 'FR12345678100', documents: 1, net: dollars(2_500), localNet: euros(2_250) },
  ]);
  expect(await run('finance', { of: 'recapitulative', from: '2026-01-01', to: '2026-03-31' })).toBe(
    'FR\tFR12345678100\t1\t25.00 USD\t22.50 EUR',
  );
});

test('what is given back in a later quarter stands apart, with the quarter of its sale and the rate that it was filed at', async () => {
  world.clock.set('2026-04-20T12:00:00Z');
  await rate('2026-06-30', '0.7');
  await world.buy(france, at(2_000));
  dataOf(await world.refund(desk.viewer, { orderId: sold.id, destination: 'CREDIT' }), 'supportOrderRefund');
  const second = await filed('2026-04-01', '2026-06-30');
  expect(second.oneStopShop).toMatchObject([{ country: 'FR', tax: dollars(500), localTax: euros(350) }]);
  expect(second.oneStopShopCorrections).toEqual([
    { quarter: '2026-Q1', country: 'FR', documents: 1, tax: dollars(-500), localTax: euros(-400) },
  ]);
  // The credit note uses the rate of its invoice, 0.9; the new sale uses the last rate of its month, 0.8.
  expect(second.taxReturn).toMatchObject([{ country: 'FR', documents: 2, tax: dollars(0), localTax: euros(-50), localNet: euros(-250) }]);
  expect(await run('finance', { of: 'oss', from: '2026-04-01', to: '2026-06-30' })).toMatch(/corrects 2026-Q1/);
});

test('without a rate nothing is said in euros: a sum of some of it would be believed', async () => {
  world.clock.set('2026-08-20T12:00:00Z');
  await rate('2026-08-21', '0.6');
  await world.buy(france, at(2_000));
  const third = await filed('2026-07-01', '2026-09-30');
  expect(third.taxReturn).toMatchObject([{ tax: dollars(500), localTax: null, localNet: null }]);
  expect(third.oneStopShop).toMatchObject([{ tax: dollars(500), localTax: null }]);
});

test('an invoice of an earlier quarter that is issued anew changes nothing of what is filed', async () => {
  const seen = await world.ask(france.viewer, '{ me { invoices { id kind } } }');
  const [, april] = dataOf<{ invoices: { id: string; kind: string }[] }>(seen, 'me').invoices.filter(({ kind }) => kind === 'INVOICE');
  await world.moveTo(france, 'FR', { name: 'Another Name' });
  const reissue = 'mutation ($id: ID!) { supportInvoiceReissue(id: $id, reason: "Wrong name") { id } }';
  dataOf(await world.ask(desk.viewer, reissue, { id: april?.id }), 'supportInvoiceReissue');
  const { oneStopShop, oneStopShopCorrections } = await filed('2026-07-01', '2026-09-30');
  expect(oneStopShop).toMatchObject([{ documents: 1, tax: dollars(500) }]);
  expect(oneStopShopCorrections).toEqual([]);
});
