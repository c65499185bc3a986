// The charges of an account with what was refunded and disputed of them: the facts behind its credit.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { CreditMove } from '../../ledger/domain/credit-lots.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';

/** Every movement of an account's credit, oldest first; above zero: more credit. */
export async function creditMoves(em: EntityManager, accountId: string, currency: string): Promise<CreditMove[]> {
  const { rows } = await sql<Omit<CreditMove, 'amountMinor'> & { amount: string }>`
    select journal.id, kind, reference, (-amount_minor)::text as amount
    from ledger_entry join journal on journal.id = journal_id
    where ledger_entry.account_id = ${accountId} and ledger = 'CUSTOMER_CREDIT' and currency = ${currency} order by journal.id`.execute(
    em.getKysely(),
  );
  return rows.map(({ amount, ...move }) => ({ ...move, amountMinor: Number(amount) }));
}

export interface AccountCharge {
  /** "processor:the processor's id". */
  id: string;
  processor: Processor;
  orderId: string;
  amountMinor: number;
  /** It came too late for its order and has become credit. */
  credited: boolean;
  /** The part of it that was refunded or is promised, also beyond its invoice. */
  refundedMinor: number;
  /** Whether its payer's bank has taken the money or decides about it. */
  isDisputed: boolean;
}

/** The charges that paid an account's orders. */
export async function chargesOfAccount(em: EntityManager, accountId: string, currency: string): Promise<AccountCharge[]> {
  const { rows } = await sql<Omit<AccountCharge, 'amountMinor' | 'refundedMinor'> & { amount: string; refunded: string }>`
    select payment.processor || ':' || payment.processor_id as id, payment.processor, payment.order_id as "orderId",
      payment.amount_minor::text as amount, credited,
      (lost_minor + case when credited then 0 else coalesce((select sum(amount_minor) from refund where refund.order_id = payment.order_id and refund.kind = 'REFUND'
        and destination = customer_order.method and refund.status <> 'CREDITED' and not against_loss), 0) end)::text as refunded,
      exists (select from dispute where dispute.payment_id = payment.id and status not in ('WON', 'CLOSED')) as "isDisputed"
    from payment join customer_order on customer_order.id = payment.order_id
    where customer_order.account_id = ${accountId} and payment.currency = ${currency}`.execute(em.getKysely());
  return rows.map(({ amount, refunded, ...row }) => ({ ...row, amountMinor: Number(amount), refundedMinor: Number(refunded) }));
}

/** Dispute id -> the charge it is about, for charges that had become credit: the dispute takes that credit. */
export async function disputedCharges(em: EntityManager, accountId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; charge: string }>`
    select dispute.id, payment.processor || ':' || payment.processor_id as charge
    from dispute join payment on payment.id = payment_id where account_id = ${accountId} and credited`.execute(em.getKysely());
  return new Map(rows.map(({ id, charge }) => [id, charge]));
}

export interface GivenBack {
  /** The reference of the journal entry. */
  reference: string;
  /** The order; null: its invoice belonged to no order. */
  orderId: string | null;
  amountMinor: number;
}

/** The orders of which credit was given back, by refunds and by changes of the purchase. */
export async function givenBackTo(em: EntityManager, accountId: string): Promise<GivenBack[]> {
  const { rows } = await sql<Omit<GivenBack, 'amountMinor'> & { amount: string }>`
    select refund.id as reference, order_id as "orderId", amount_minor::text as amount
      from refund join customer_order on customer_order.id = order_id where refund.kind = 'REFUND' and customer_order.account_id = ${accountId}
    union all
    select reference, corrected.order_id, amount_minor::text from invoice as note
      join invoice_settlement on invoice_id = note.id and reference = note.order_id
      join invoice as corrected on corrected.id = note.corrects_id
      where note.account_id = ${accountId} and note.kind = 'CREDIT_NOTE'`.execute(em.getKysely());
  return rows.map(({ amount, ...row }) => ({ ...row, amountMinor: Number(amount) }));
}

/** The charges to which the processor has refused to return money: a person sends what else is returned of them. */
export async function refusedCharges(em: EntityManager, accountId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select charge_id as id from refund where account_id = ${accountId} and kind = 'PAY_OUT' and status = 'CREDITED' and pay_to is null
    union
    select payment.processor || ':' || payment.processor_id from refund
      join customer_order on customer_order.id = refund.order_id and customer_order.method = destination
      join payment on payment.order_id = refund.order_id and not credited
      where customer_order.account_id = ${accountId} and refund.kind = 'REFUND' and refund.status = 'CREDITED'`.execute(em.getKysely());
  return new Set(rows.map(({ id }) => id));
}
