// Tax in the currency that the seller pays it in, by the exchange rates that the operator enters, and kept on each invoice.
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { readConfig } from '../../../../../configuration.ts';
import { documentOf } from '../../../../../subgraphs/accounts/billing/invoices/services/invoice-document.ts';
import { convert } from '../../../../../subgraphs/accounts/billing/tax/domain/local-tax.ts';
import { FINANCE_COMMANDS } from '../../../../../subgraphs/accounts/commands/desk-finance.ts';
import type { Words } from '../../../../../subgraphs/accounts/commands/desk.ts';
import { dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling({ TAX_RATES: 'DE=19', SELLER_COUNTRY: 'DE', SELLER_CURRENCY: 'EUR' }));
const note = (words: Partial<Words>, of = 'EUR') => FINANCE_COMMANDS['exchange-rate']?.run(world.as(desk.viewer), { of, ...words });
const dayOf = (daysAgo: number) => new Date(world.clock.now().getTime() - daysAgo * DAY).toISOString().slice(0, 10);
const taxed = { taxBasisPoints: 1_900, taxMinor: 475, totalMinor: 2_975 };
let people = 0;

async function buyer(country = 'DE') {
  const person = await world.account(`local-${++people}@example.com`);
  await world.moveTo(person, country);
  return person;
}
interface Shown {
  id: string;
  kind: string;
  localTax: { amount: { amountMinor: number; currency: string }; perDollar: string; day: string; source: string } | null;
}
const invoicesOf = async ({ viewer }: Person) =>
  dataOf<{ invoices: Shown[] }>(
    await world.ask(viewer, '{ me { invoices { id kind localTax { amount { amountMinor currency } perDollar day source } } } }'),
    'me',
  ).invoices;

test.each([
  [475, '0.8654', 411],
  [475, '1', 475],
  [1, '0.5', 1],
  [1, '0.4999999999', 0],
  [100_000, '395.1234567891', 39_512_346],
])('%d cents at %s are %d', (cents, rate, expected) => {
  expect(convert(cents, rate)).toBe(expected);
});

test('without a rate an invoice says nothing; with one it says the tax, the rate, its day and whose it is', async () => {
  const ada = await buyer();
  await world.buy(ada, taxed);
  expect((await invoicesOf(ada))[0]?.localTax).toBeNull();
  await note({ amount: '0.91', from: dayOf(40), reference: 'ECB' });
  const old = await buyer();
  await world.buy(old, taxed);
  expect((await invoicesOf(old))[0]?.localTax).toBeNull();
  await note({ amount: '0.8654', from: dayOf(2), reference: 'ECB' });
  await note({ amount: '0.99', from: dayOf(-1), reference: 'ECB' });
  const ben = await buyer();
  await world.buy(ben, taxed);
  const [invoice] = await invoicesOf(ben);
  expect(invoice?.localTax).toEqual({ amount: { amountMinor: 411, currency: 'EUR' }, perDollar: '0.8654', day: dayOf(2), source: 'ECB' });
  const { pdf } = await documentOf(world.context(), { id: invoice?.id ?? '' });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  for (const words of ['Tax in EUR', '4.11 EUR', '1 USD = 0.8654 EUR', dayOf(2), 'ECB']) expect(text).toContain(words);
});

test('a credit note has the rate of its invoice, whatever the rate is by then', async () => {
  await note({ amount: '0.8', from: dayOf(0), reference: 'ECB' });
  const cem = await buyer();
  const order = await world.buy(cem, taxed);
  await note({ amount: '0.5', from: dayOf(0), reference: 'A mistake of the pen' });
  await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' });
  const shown = (await invoicesOf(cem)).map(({ kind, localTax }) => [kind, localTax?.amount.amountMinor, localTax?.perDollar]);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['INVOICE', 380, '0.8'],
      ['CREDIT_NOTE', 380, '0.8'],
    ]),
  );
});

test('what is not taxed has no tax in any currency', async () => {
  const dan = await buyer('US');
  await world.buy(dan);
  expect((await invoicesOf(dan))[0]?.localTax).toBeNull();
});

describe('the command', () => {
  test('shows the last rates, the latest first', async () => {
    await note({ amount: '23.5', from: '2026-01-02', reference: 'CNB' }, 'CZK');
    await note({ amount: '23.4', from: '2026-01-03', reference: 'CNB' }, 'CZK');
    expect(await note({}, 'CZK')).toBe('2026-01-03\t23.4\tCNB\n2026-01-02\t23.5\tCNB');
  });

  test.each([
    [{ amount: '0', from: '2026-01-02', reference: 'ECB' }, 'EUR'],
    [{ amount: '-1', from: '2026-01-02', reference: 'ECB' }, 'EUR'],
    [{ amount: '1', from: '2026-02-30', reference: 'ECB' }, 'EUR'],
    [{ amount: '1', from: '2026-01-02', reference: ' ' }, 'EUR'],
    [{ amount: '1', from: '2026-01-02', reference: 'ECB' }, 'euro'],
  ])('refuses %j of %s', async (words, currency) => {
    await expect(note(words, currency)).rejects.toMatchObject({ code: 'parameter_invalid' });
  });

  test('wants the day and whose rate it is', async () => {
    await expect(note({ amount: '1' })).rejects.toThrow('--from 2026-01-31 --reference ECB');
  });
});

test.each(['eur', 'EURO', 'JPY'])('SELLER_CURRENCY is a currency of two decimals, not %s', (currency) => {
  expect(() => readConfig({ SELLER_CURRENCY: currency })).toThrow(/SELLER_CURRENCY/);
  expect(readConfig({ SELLER_CURRENCY: 'HUF' })).toMatchObject({ SELLER_CURRENCY: 'HUF' });
});
