// The rows of exports, ordered by (time, id), a batch at a time, so that a file of any length is never in memory as a whole.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Party } from '../../tax/domain/taxed-buyer.ts';
import type { Ledger } from '../../ledger/domain/ledger.ts';
import type { DayPeriod } from '#platform/day-period.ts';

export interface Batch {
  period: DayPeriod;
  /** The id of the last row of the batch before; null: from the beginning. */
  after: string | null;
  limit: number;
}

interface Dated {
  id: string;
  at: Date;
  currency: string;
}

export interface ExportedInvoice extends Dated {
  series: string;
  number: number;
  accountId: string;
  orderId: string | null;
  /** For a credit note: the invoice that it corrects. */
  corrects: string | null;
  buyer: Party;
  net: string;
  basisPoints: number;
  tax: string;
  total: string;
  periodStart: Date | null;
  periodEnd: Date | null;
}

export async function exportedInvoices(
  em: EntityManager,
  kind: 'INVOICE' | 'CREDIT_NOTE',
  { period: { from, until }, after, limit }: Batch,
): Promise<ExportedInvoice[]> {
  const { rows } = await sql<ExportedInvoice>`
    select id, issued_at as at, currency, series, number, account_id as "accountId", order_id as "orderId", corrects_id as corrects, buyer,
      subtotal_minor::text as net, tax_basis_points as "basisPoints", tax_minor::text as tax, total_minor::text as total,
      period_start as "periodStart", period_end as "periodEnd"
    from invoice where kind = ${kind} and issued_at >= ${from} and issued_at < ${until}
      and (${after}::text is null or (issued_at, id) > (select issued_at, id from invoice where id = ${after}))
    order by issued_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ at, periodStart, periodEnd, ...row }) => ({
    ...row,
    at: new Date(at),
    periodStart: periodStart && new Date(periodStart),
    periodEnd: periodEnd && new Date(periodEnd),
  }));
}

export interface ExportedPayment extends Dated {
  orderId: string;
  accountId: string;
  processor: string;
  processorId: string;
  amount: string;
}

export async function exportedPayments(em: EntityManager, { period: { from, until }, after, limit }: Batch): Promise<ExportedPayment[]> {
  const { rows } = await sql<ExportedPayment>`
    select payment.id, payment.paid_at as at, payment.currency, order_id as "orderId", account_id as "accountId", processor, processor_id as "processorId",
      amount_minor::text as amount
    from payment join customer_order on customer_order.id = order_id where payment.paid_at >= ${from} and payment.paid_at < ${until}
      and (${after}::text is null or (payment.paid_at, payment.id) > (select paid_at, id from payment where id = ${after}))
    order by payment.paid_at, payment.id limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export interface ExportedRefund extends Dated {
  /** REFUND, or PAY_OUT of an account's credit, which has no credit note. */
  kind: string;
  accountId: string;
  orderId: string | null;
  creditNoteId: string | null;
  /** For a pay-out: the charge that it goes back to, as "processor:its id there". */
  chargeId: string | null;
  destination: string;
  status: string;
  amount: string;
  tax: string;
  reason: string;
  processorId: string | null;
  doneAt: Date | null;
}

export async function exportedRefunds(em: EntityManager, { period: { from, until }, after, limit }: Batch): Promise<ExportedRefund[]> {
  const { rows } = await sql<ExportedRefund>`
    select id, created_at as at, currency, kind, order_id as "orderId", credit_note_id as "creditNoteId", charge_id as "chargeId", destination, status,
      coalesce(account_id, (select account_id from customer_order where customer_order.id = order_id)) as "accountId",
      amount_minor::text as amount, tax_minor::text as tax, reason, processor_id as "processorId", done_at as "doneAt"
    from refund where created_at >= ${from} and created_at < ${until}
      and (${after}::text is null or (created_at, id) > (select created_at, id from refund where id = ${after}))
    order by created_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at), doneAt: row.doneAt && new Date(row.doneAt) }));
}

export interface ExportedDispute extends Dated {
  accountId: string;
  orderId: string;
  processor: string;
  processorId: string;
  stage: string;
  status: string;
  reason: string;
  respondBy: Date | null;
  closedAt: Date | null;
  amount: string;
  /** The amount that is with the payer's bank now. */
  withdrawn: string;
  fee: string;
  feeCurrency: string | null;
}

export async function exportedDisputes(em: EntityManager, { period: { from, until }, after, limit }: Batch): Promise<ExportedDispute[]> {
  const { rows } = await sql<ExportedDispute>`
    select id, opened_at as at, currency, account_id as "accountId", order_id as "orderId", processor, processor_id as "processorId", stage, status,
      reason, respond_by as "respondBy", closed_at as "closedAt", amount_minor::text as amount, withdrawn_minor::text as withdrawn,
      fee_minor::text as fee, fee_currency as "feeCurrency"
    from dispute where opened_at >= ${from} and opened_at < ${until}
      and (${after}::text is null or (opened_at, id) > (select opened_at, id from dispute where id = ${after}))
    order by opened_at, id limit ${limit}`.execute(em.getKysely());
  const toDate = (value: Date | null) => value && new Date(value);
  return rows.map(({ at, respondBy, closedAt, ...row }) => ({
    ...row,
    at: new Date(at),
    respondBy: toDate(respondBy),
    closedAt: toDate(closedAt),
  }));
}

export interface ExportedJournal extends Dated {
  kind: string;
  reference: string;
  accountId: string | null;
  note: string;
  /** In the order of the journal; minor units, debits are positive. */
  entries: { ledger: Ledger; amountMinor: number }[];
}

export async function exportedJournals(em: EntityManager, { period: { from, until }, after, limit }: Batch): Promise<ExportedJournal[]> {
  const { rows } = await sql<ExportedJournal>`
    select id, at, kind, reference, "accountId", note, min(currency) as currency,
      json_agg(json_build_object('ledger', ledger, 'amountMinor', amount_minor) order by line) as entries
    from (
      select id, posted_at as at, kind, reference, account_id as "accountId", note from journal
      where posted_at >= ${from} and posted_at < ${until}
        and (${after}::text is null or (posted_at, id) > (select posted_at, id from journal where id = ${after}))
      order by posted_at, id limit ${limit}) as journal
      join ledger_entry on journal_id = id
    group by id, at, kind, reference, "accountId", note order by at, id`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export interface ExportedMovement extends Dated {
  processor: string;
  processorId: string;
  kind: string;
  subject: string | null;
  payment: string | null;
  orderId: string | null;
  amount: string;
  fee: string;
  net: string;
  words: string;
  payout: string | null;
  payoutStatus: string | null;
  arrivesAt: Date | null;
}

export async function exportedMovements(em: EntityManager, { period: { from, until }, after, limit }: Batch): Promise<ExportedMovement[]> {
  const { rows } = await sql<ExportedMovement>`
    select movement.id, movement.moved_at as at, movement.currency, movement.processor, movement.processor_id as "processorId", kind,
      subject_id as subject, payment_id as payment, payment.order_id as "orderId", movement.amount_minor::text as amount, fee_minor::text as fee,
      (movement.amount_minor - fee_minor)::text as net, words, payout_id as payout, payout.status as "payoutStatus", payout.arrives_at as "arrivesAt"
    from processor_movement as movement
      left join payment on payment.processor = movement.processor and payment.processor_id = payment_id
      left join processor_payout as payout on payout.processor = movement.processor and payout.processor_id = payout_id
    where movement.moved_at >= ${from} and movement.moved_at < ${until}
      and (${after}::text is null or (movement.moved_at, movement.id) > (select moved_at, id from processor_movement where id = ${after}))
    order by movement.moved_at, movement.id limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at), arrivesAt: row.arrivesAt && new Date(row.arrivesAt) }));
}
