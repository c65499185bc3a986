import { expect, test } from 'vitest';
import { POSTINGS, type PostingKind } from '../../../../../../subgraphs/accounts/billing/ledger/domain/ledger.ts';
import { periodOfDays } from '#platform/day-period.ts';
import {
  type DatevTerms,
  batchHeader,
  batchLine,
  missingAccounts,
  postingsOf,
} from '../../../../../../subgraphs/accounts/billing/finance/domain/posting-batch.ts';

const terms: DatevTerms = { consultant: 29_098, client: 55_003, accounts: { BANK: 1_800, REVENUE: 4_400, TAX: 3_806 } };
const data = {
  accountId: 'acct_1',
  subtotalMinor: 1_000,
  taxMinor: 190,
  creditMinor: 300,
  lostMinor: 100,
  into: 'BANK',
  from: 'BANK',
  amountMinor: 500,
  sentLater: true,
} as never;

test.each(Object.keys(POSTINGS) as PostingKind[])('%s in movements between two ledgers comes to what its entries say', (kind) => {
  const entries = POSTINGS[kind](data);
  const sums: Record<string, number> = {};
  for (const { debit, credit, amountMinor } of postingsOf(entries)) {
    expect(amountMinor).toBeGreaterThan(0);
    sums[debit] = (sums[debit] ?? 0) + amountMinor;
    sums[credit] = (sums[credit] ?? 0) - amountMinor;
  }
  for (const { ledger, amountMinor } of entries) sums[ledger] = (sums[ledger] ?? 0) - amountMinor;
  expect(Object.values(sums).filter(Boolean)).toEqual([]);
});

// Compares by position with the fields of the example on developer.datev.de, "DATEV format", header.
test('the head of a batch has the fields of the format in their places', () => {
  const head = batchHeader(terms, periodOfDays('2026-01-01', '2026-08-31'), 'USD', new Date('2026-09-02T14:01:40.439Z'));
  const [first = '', columns = '', rest] = head.split('\r\n');
  const fields = first.split(';');
  expect(fields.slice(0, 6)).toEqual(['"EXTF"', '700', '21', '"Buchungsstapel"', '13', '20260902140140439']);
  expect(fields.slice(10, 16)).toEqual(['29098', '55003', '20260101', '4', '20260101', '20260831']);
  expect(fields[21]).toBe('"USD"');
  expect(fields).toHaveLength(31);
  expect(columns.split(';')).toHaveLength(14);
  expect(rest).toBe('');
});

test('a line has as many fields as the head names, a decimal comma, day and month, and only what the format allows', () => {
  const line = batchLine(
    terms,
    { debit: 'BANK', credit: 'REVENUE', amountMinor: 123_405 },
    { at: new Date('2026-03-09T23:59:59Z'), currency: 'USD', reference: 'card:pi_1', note: 'Größe "XL" Łódź\n' },
  );
  expect(line).toBe('1234,05;"S";"USD";;;"";1800;4400;"";0903;"card-pi_1";"";;"Größe ""XL"" ?ód??"\r\n');
});

test('ledgers without an account are named, and a batch over two calendar years is refused', () => {
  expect(missingAccounts(terms, [{ ledger: 'BANK' }, { ledger: 'CRYPTO' }, { ledger: 'TAX' }])).toEqual(['CRYPTO']);
  expect(() => batchHeader(terms, periodOfDays('2025-12-31', '2026-01-01'), 'USD', new Date())).toThrow(
    expect.objectContaining({ code: 'parameter_invalid' }),
  );
  expect(() =>
    batchLine(terms, { debit: 'CRYPTO', credit: 'BANK', amountMinor: 1 }, { at: new Date(), currency: 'USD', reference: '', note: '' }),
  ).toThrow(expect.objectContaining({ code: 'action_not_allowed' }));
});
