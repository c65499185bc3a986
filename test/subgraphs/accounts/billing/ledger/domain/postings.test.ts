import { expect, test } from 'vitest';
import {
  type Entry,
  LEDGERS,
  POSTINGS,
  type PostingKind,
  STATEMENT_WORDS,
} from '../../../../../../subgraphs/accounts/billing/ledger/domain/ledger.ts';
import {
  formatNumber,
  formatRate,
  leftOf,
  partOfSubtotal,
  partOfTotal,
  seriesOf,
} from '../../../../../../subgraphs/accounts/billing/invoices/domain/invoice.ts';

const kinds = Object.keys(POSTINGS) as PostingKind[];
const data = {
  accountId: 'acct_1',
  amountMinor: 1_234,
  subtotalMinor: 2_500,
  taxMinor: 475,
  creditMinor: 900,
  lostMinor: 100,
  into: 'BANK',
  from: 'PROCESSOR',
};
const of = (kind: PostingKind, more: object = {}) => (POSTINGS[kind] as (data: object) => Entry[])({ ...data, ...more });

test.each(kinds)('%s sums to zero, whatever the destination', (kind) => {
  for (const sentLater of [true, false]) expect(of(kind, { sentLater }).reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(0);
});

test("customers' ledgers name the customer, and the others nobody", () => {
  for (const kind of kinds)
    for (const { ledger, accountId } of of(kind, { sentLater: false })) {
      expect(LEDGERS[ledger]).toBeDefined();
      expect(accountId).toBe(ledger === 'CUSTOMER_CREDIT' || ledger === 'CREDIT_HELD' ? 'acct_1' : null);
    }
});

test('every posting has words for the statement', () => {
  expect(Object.keys(STATEMENT_WORDS).sort()).toEqual([...kinds].sort());
});

test('invoices and credit notes have a series each, of the UTC year', () => {
  expect(seriesOf('INVOICE', new Date('2026-12-31T23:59:59.999Z'))).toBe('INV-2026');
  expect(seriesOf('CREDIT_NOTE', new Date('2027-01-01T00:00:00Z'))).toBe('CN-2027');
  expect(formatNumber({ series: 'INV-2026', number: 42 })).toBe('INV-2026-000042');
  expect(formatNumber({ series: 'INV-2026', number: 1_234_567 })).toBe('INV-2026-1234567');
});

test.each([
  [0, '0'],
  [1_900, '19'],
  [770, '7.7'],
  [2_125, '21.25'],
])('%d basis points are %s %%', (basisPoints, text) => {
  expect(formatRate(basisPoints)).toBe(text);
});

test('parts of an invoice, with or without their tax said first, add up to it to the cent and stay within what is left of it', () => {
  const unfair: object[] = [];
  // A small generator with a fixed seed, for the same ten thousand cases in each run.
  let seed = 20_260_115;
  const random = (sides: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % sides;
  };
  for (let round = 0; round < 10_000; round++) {
    const subtotalMinor = 1 + random(50_000);
    const taxMinor = Math.floor((subtotalMinor * random(3_000) + 5_000) / 10_000);
    const whole = { subtotalMinor, taxMinor, totalMinor: subtotalMinor + taxMinor };
    const given = { subtotalMinor: 0, taxMinor: 0, totalMinor: 0 };
    // Give back by total, by subtotal, or by both in turn.
    const way = random(3);
    for (let left = leftOf(whole, given); left.totalMinor > 0; left = leftOf(whole, given)) {
      const byTotal = left.subtotalMinor === 0 || way === 0 || (way === 2 && random(2) === 0);
      const asked = 1 + random(byTotal ? left.totalMinor : left.subtotalMinor);
      const part = byTotal ? partOfTotal(whole, left, asked) : partOfSubtotal(whole, left, asked);
      given.subtotalMinor += part.subtotalMinor;
      given.taxMinor += part.taxMinor;
      given.totalMinor += part.totalMinor;
      const fair =
        (byTotal ? part.totalMinor : part.subtotalMinor) === asked &&
        part.totalMinor === part.subtotalMinor + part.taxMinor &&
        Math.min(part.subtotalMinor, part.taxMinor) >= 0 &&
        part.subtotalMinor <= left.subtotalMinor &&
        part.taxMinor <= left.taxMinor &&
        // Counting by subtotal may meet the cent that rounding has moved.
        Math.abs(given.taxMinor - (given.totalMinor * taxMinor) / whole.totalMinor) <= (way === 0 ? 0.5 : 1.5);
      if (!fair) unfair.push({ whole, left, asked, byTotal, part });
    }
    if (given.taxMinor !== taxMinor || given.subtotalMinor !== subtotalMinor) unfair.push({ whole, given });
  }
  expect(unfair).toEqual([]);
});
