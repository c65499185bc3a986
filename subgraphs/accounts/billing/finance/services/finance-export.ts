// Exports of a period as files: invoices, credit notes, payments, refunds, disputes, journals and payouts. A file comes in parts, each of which says how to ask
// for the next.
import { csvLine } from '#platform/csv.ts';
import { CURRENCY, decimalOf } from '#commerce/money.ts';
import { because, fail } from '#platform/errors.ts';
import { formatNumber, formatRate } from '../../invoices/domain/invoice.ts';
import type { FinanceContext } from '../context.ts';
import { periodOfDays } from '#platform/day-period.ts';
import { batchHeader, batchLine, missingAccounts, postingsOf } from '../domain/posting-batch.ts';
import { FIGURE_COLUMNS, MARGIN_COLUMNS, figureRows, marginRows } from './figure-sheets.ts';
import { ledgerSums } from '../entities/finance-figures.ts';
import {
  type Batch,
  type ExportedInvoice,
  exportedDisputes,
  exportedInvoices,
  exportedJournals,
  exportedMovements,
  exportedPayments,
  exportedRefunds,
} from '../entities/finance-export.ts';

export const EXPORT_KINDS = [
  ...(['INVOICES', 'CREDIT_NOTES', 'PAYMENTS', 'REFUNDS', 'DISPUTES', 'JOURNALS', 'PAYOUTS'] as const),
  ...(['FIGURES', 'FIGURES_BY_DAY', 'MARGINS'] as const),
] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];
export const EXPORT_FORMATS = ['CSV', 'DATEV'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportRequest {
  kind: ExportKind;
  format: ExportFormat;
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  /** `next` of the part before; absent: the first part, which begins with the names of the columns. */
  after?: string | null;
}

export interface ExportPart {
  text: string;
  /** What to ask the next part with; null: this is the last. */
  next: string | null;
}

const BATCH_SIZE = 1_000;

interface Sheet {
  columns: readonly string[];
  rows(em: FinanceContext['em'], batch: Batch): Promise<{ id: string; cells: (string | null)[] }[]>;
}

const invoiceSheet = (kind: 'INVOICE' | 'CREDIT_NOTE'): Sheet => ({
  columns: [
    ...['number', 'issued_at', 'id', 'account_id', 'order_id', 'corrects_id', 'buyer', 'country', 'tax_id'],
    ...['currency', 'net', 'tax_percent', 'tax', 'total', 'period_start', 'period_end'],
  ],
  rows: async (em, batch) => (await exportedInvoices(em, kind, batch)).map((row) => ({ id: row.id, cells: invoiceCells(row) })),
});

const invoiceCells = ({ id, at, buyer, ...row }: ExportedInvoice): (string | null)[] => [
  ...[formatNumber(row), at.toISOString(), id, row.accountId, row.orderId, row.corrects, buyer.name, buyer.country, buyer.taxId],
  ...[row.currency, decimalOf(row.net), formatRate(row.basisPoints), decimalOf(row.tax), decimalOf(row.total)],
  ...[row.periodStart?.toISOString() ?? null, row.periodEnd?.toISOString() ?? null],
];

const SHEETS: Record<ExportKind, Sheet> = {
  INVOICES: invoiceSheet('INVOICE'),
  CREDIT_NOTES: invoiceSheet('CREDIT_NOTE'),
  PAYMENTS: {
    columns: ['id', 'paid_at', 'account_id', 'order_id', 'processor', 'processor_id', 'currency', 'amount'],
    rows: async (em, batch) =>
      (await exportedPayments(em, batch)).map(({ id, at, ...row }) => ({
        id,
        cells: [id, at.toISOString(), row.accountId, row.orderId, row.processor, row.processorId, row.currency, decimalOf(row.amount)],
      })),
  },
  REFUNDS: {
    columns: [
      ...['id', 'created_at', 'order_id', 'credit_note_id', 'destination', 'status', 'done_at', 'processor_id'],
      ...['currency', 'amount', 'of_it_tax', 'reason', 'kind', 'account_id', 'charge'],
    ],
    rows: async (em, batch) =>
      (await exportedRefunds(em, batch)).map(({ id, at, doneAt, ...row }) => ({
        id,
        cells: [
          ...[id, at.toISOString(), row.orderId, row.creditNoteId, row.destination, row.status, doneAt?.toISOString() ?? null],
          ...[row.processorId, row.currency, decimalOf(row.amount), decimalOf(row.tax), row.reason, row.kind, row.accountId, row.chargeId],
        ],
      })),
  },
  DISPUTES: {
    columns: [
      ...['id', 'opened_at', 'account_id', 'order_id', 'processor', 'processor_id', 'stage', 'status', 'reason', 'respond_by', 'closed_at'],
      ...['currency', 'amount', 'withdrawn', 'fee_currency', 'fee'],
    ],
    rows: async (em, batch) =>
      (await exportedDisputes(em, batch)).map(({ id, at, respondBy, closedAt, ...row }) => ({
        id,
        cells: [
          ...[id, at.toISOString(), row.accountId, row.orderId, row.processor, row.processorId, row.stage, row.status, row.reason],
          ...[respondBy?.toISOString() ?? null, closedAt?.toISOString() ?? null, row.currency],
          ...[decimalOf(row.amount), decimalOf(row.withdrawn), row.feeCurrency, decimalOf(row.fee)],
        ],
      })),
  },
  JOURNALS: {
    columns: ['journal_id', 'posted_at', 'kind', 'reference', 'account_id', 'ledger', 'currency', 'debit', 'credit', 'note'],
    rows: async (em, batch) =>
      (await exportedJournals(em, batch)).flatMap(({ id, at, entries, ...row }) =>
        entries.map(({ ledger, amountMinor }) => ({
          id,
          cells: [
            ...[id, at.toISOString(), row.kind, row.reference, row.accountId, ledger, row.currency],
            ...[amountMinor > 0 ? decimalOf(amountMinor) : null, amountMinor < 0 ? decimalOf(-amountMinor) : null, row.note],
          ],
        })),
      ),
  },
  FIGURES: { columns: FIGURE_COLUMNS, rows: figureRows('MONTH') },
  FIGURES_BY_DAY: { columns: FIGURE_COLUMNS, rows: figureRows('DAY') },
  MARGINS: { columns: MARGIN_COLUMNS, rows: marginRows },
  PAYOUTS: {
    columns: [
      ...['id', 'moved_at', 'processor', 'processor_id', 'kind', 'subject', 'payment', 'order_id', 'currency', 'amount', 'fee', 'net'],
      ...['payout', 'payout_status', 'payout_arrives_at', 'words'],
    ],
    rows: async (em, batch) =>
      (await exportedMovements(em, batch)).map(({ id, at, ...row }) => ({
        id,
        cells: [
          ...[id, at.toISOString(), row.processor, row.processorId, row.kind, row.subject, row.payment, row.orderId, row.currency],
          ...[decimalOf(row.amount), decimalOf(row.fee), decimalOf(row.net)],
          ...[row.payout, row.payoutStatus, row.arrivesAt?.toISOString() ?? null, row.words],
        ],
      })),
  },
};

/**
 * A part of an export. Errors: parameter_invalid (the days, or a format that the kind does not have), action_not_allowed (the tax adviser's numbers are not
 * set).
 */
export function financeExport(ctx: FinanceContext, { kind, format, from, to, after = null }: ExportRequest): Promise<ExportPart> {
  const batch = { period: periodOfDays(from, to), after, limit: BATCH_SIZE };
  if (format === 'CSV') return sheetPart(ctx, SHEETS[kind], batch);
  if (kind !== 'JOURNALS') throw fail('parameter_invalid', { field: 'format', reason: because('datev_takes_journals') });
  return postingPart(ctx, batch);
}

async function sheetPart({ em }: FinanceContext, { columns, rows }: Sheet, batch: Batch): Promise<ExportPart> {
  const found = await rows(em, batch);
  const head = batch.after === null ? csvLine(columns) : '';
  const seen = new Set(found.map(({ id }) => id)).size;
  return { text: head + found.map(({ cells }) => csvLine(cells)).join(''), next: nextOf(found, seen) };
}

const nextOf = (rows: readonly { id: string }[], seen: number): string | null => (seen < BATCH_SIZE ? null : (rows.at(-1)?.id ?? null));

async function postingPart(ctx: FinanceContext, batch: Batch): Promise<ExportPart> {
  const terms = ctx.providers.datev;
  if (!terms) throw fail('action_not_allowed', { reason: because('datev_not_set') });
  const moved = (await ledgerSums(ctx.em, batch.period)).filter(({ debit, credit }) => debit !== credit || debit !== '0');
  const [missing] = missingAccounts(terms, moved);
  if (missing) throw fail('action_not_allowed', { reason: because('datev_account_missing', { ledger: missing }) });
  const journals = await exportedJournals(ctx.em, batch);
  const head = batch.after === null ? batchHeader(terms, batch.period, CURRENCY, ctx.clock.now()) : '';
  const lines = journals.flatMap((journal) => postingsOf(journal.entries).map((posting) => batchLine(terms, posting, journal)));
  return { text: head + lines.join(''), next: nextOf(journals, journals.length) };
}
