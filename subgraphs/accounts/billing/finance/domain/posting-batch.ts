// Journals in the DATEV format "Buchungsstapel" (posting batch), which tax advisers in Germany import. Header 700, category 21, version 13; semicolons, CR LF,
// decimal commas, texts in quotation marks, Windows-1252 (developer.datev.de, DATEV format: header, posting batch).
import { because, fail } from '#platform/errors.ts';
import { toDay } from '#platform/clock.ts';
import { decimalOf } from '#commerce/money.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import { type DayPeriod, daysOf } from '#platform/day-period.ts';

/** The numbers that the tax adviser assigns: their own, the client's, and that of each ledger in the chart of accounts. */
export interface DatevTerms {
  consultant: number;
  client: number;
  accounts: Partial<Record<Ledger, number>>;
}

export interface PostedEntry {
  ledger: Ledger;
  /** Minor units; debits are positive. */
  amountMinor: number;
}

/** One movement between two accounts. */
export interface Posting {
  debit: Ledger;
  credit: Ledger;
  amountMinor: number;
}

/** Splits the entries of one journal, which sum to zero, into movements between two accounts each. */
export function postingsOf(entries: readonly PostedEntry[]): Posting[] {
  const debits = entries.filter(({ amountMinor }) => amountMinor > 0).map((entry) => ({ ...entry }));
  const credits = entries.filter(({ amountMinor }) => amountMinor < 0).map((entry) => ({ ...entry, amountMinor: -entry.amountMinor }));
  const postings: Posting[] = [];
  for (const debit of debits)
    for (const credit of credits) {
      const amountMinor = Math.min(debit.amountMinor, credit.amountMinor);
      if (amountMinor === 0) continue;
      postings.push({ debit: debit.ledger, credit: credit.ledger, amountMinor });
      debit.amountMinor -= amountMinor;
      credit.amountMinor -= amountMinor;
    }
  return postings;
}

const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz)',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basis-Umsatz',
  'WKZ Basis-Umsatz',
  'Konto',
  'Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
];

/** A text in the format; characters that it does not allow are replaced. */
const text = (value: string, max: number, unfit: RegExp, instead: string): string =>
  `"${value.replaceAll(unfit, instead).slice(0, max).replaceAll('"', '""')}"`;
const digits = (day: string) => day.replaceAll('-', '');

/**
 * The first two lines of a batch. `at`: when it is made. Errors: parameter_invalid for a period that is not within one calendar year, the business year of the
 * batch.
 */
export function batchHeader({ consultant, client, accounts }: DatevTerms, period: DayPeriod, currency: string, at: Date): string {
  const { from, to } = daysOf(period);
  const year = from.slice(0, 4);
  if (to.slice(0, 4) !== year) throw fail('parameter_invalid', { field: 'to', reason: because('period_of_two_years') });
  const made = at.toISOString().replaceAll(/\D/g, '').slice(0, 17);
  const length = Math.max(4, ...Object.values(accounts).map((number) => String(number).length));
  const header = [
    ...['"EXTF"', '700', '21', '"Buchungsstapel"', '13', made, '', '"EG"', '""', '""'],
    ...[String(consultant), String(client), `${year}0101`, String(length), digits(from), digits(to), '"Egress"', '""', '1', '0', '0'],
    ...[`"${currency}"`, '', '""', '', '', '""', '', '', '""', '""'],
  ];
  return `${header.join(';')}\r\n${COLUMNS.join(';')}\r\n`;
}

/** One line of a batch. `reference`: what the journal is about. Errors: action_not_allowed for a ledger without a number. */
export function batchLine(
  { accounts }: DatevTerms,
  { debit, credit, amountMinor }: Posting,
  { at, currency, reference, note }: { at: Date; currency: string; reference: string; note: string },
): string {
  const day = toDay(at);
  const cells = [
    decimalOf(amountMinor).replace('.', ','),
    ...['"S"', `"${currency}"`, '', '', '""'],
    numberOf(accounts, debit),
    numberOf(accounts, credit),
    '""',
    `${day.slice(8)}${day.slice(5, 7)}`,
    text(reference, 36, /[^\w$%/-]/g, '-'),
    ...['""', ''],
    // Windows-1252 has only the letters of Western Europe.
    text(note, 60, /[^\u0020-\u007e\u00a0-\u00ff€]/g, '?'),
  ];
  return `${cells.join(';')}\r\n`;
}

function numberOf(accounts: DatevTerms['accounts'], ledger: Ledger): string {
  const number = accounts[ledger];
  if (number === undefined) throw fail('action_not_allowed', { reason: because('datev_account_missing', { ledger }) });
  return String(number);
}

/** The ledgers among these that have no account number. */
export const missingAccounts = ({ accounts }: DatevTerms, ledgers: readonly { ledger: Ledger }[]): Ledger[] =>
  ledgers.map(({ ledger }) => ledger).filter((ledger) => accounts[ledger] === undefined);
