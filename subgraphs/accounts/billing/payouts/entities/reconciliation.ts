// Finds where a processor's own books and ours differ, payment by payment.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Ledger, PostingKind } from '../../ledger/domain/ledger.ts';
import type { MovementKind } from '../../payments/domain/balance-movement.ts';
import type { Processor } from '../../payments/domain/payment-method.ts';
import { ProcessorMovement } from './processor-movement.ts';

/** Kind of our journals -> kind of movement: their sums must be equal, counting what came back of each. */
const COMPARED = {
  order_paid: 'PAYMENT',
  payment_credited: 'PAYMENT',
  refund_sent: 'REFUND',
  refund_returned: 'REFUND',
  refund_elsewhere: 'REFUND',
  refund_elsewhere_returned: 'REFUND',
  dispute_withdrawn: 'DISPUTE',
  dispute_reinstated: 'DISPUTE',
} as const satisfies Partial<Record<PostingKind, MovementKind>>;

/** The most movements of a dispute that are looked for where movements have no ids of their own but numbers; a case of PayPal has five at most. */
const DISPUTE_MOVEMENTS = 9;

/** Movements of these kinds are booked from the processor's books, so there is nothing to compare. */
const BOOKED_AS_READ: MovementKind[] = ['FEE', 'PAYOUT', 'PAYOUT_RETURNED'];

export interface Compared {
  processor: Processor;
  /** The ledger of our money at the processor. */
  ledger: Ledger;
  /** Payments with movements or journals in this span are compared. */
  from: Date;
  until: Date;
  /** Payments with movements or journals after this are left out, since a notice may still be on its way. */
  settledBefore: Date;
}

export interface UnevenPaymentRow {
  /** The processor's id of the payment. */
  payment: string;
  orderId: string | null;
  what: MovementKind;
  currency: string;
  /** Minor units; positive: money that came to the processor. */
  booked: string;
  moved: string;
  at: Date;
}

/** Payments whose sums of a kind differ, each over all time; oldest first, at most 200. */
export async function unevenPayments(
  em: EntityManager,
  { processor, ledger, from, until, settledBefore }: Compared,
): Promise<UnevenPaymentRow[]> {
  const { rows } = await sql<UnevenPaymentRow>`
    with kinds as (select * from unnest(${Object.keys(COMPARED)}::text[], ${Object.values(COMPARED)}::text[]) as kinds (kind, what)),
    touched as (
      select payment_id from processor_movement
        where processor = ${processor} and payment_id is not null and moved_at >= ${from} and moved_at < ${until}
      union
      select coalesce(
        (select substr(charge_id, ${processor.length + 2}) from refund
          where refund.id = split_part(reference, ':', 1) and starts_with(charge_id, ${`${processor}:`})),
        (select processor_id from payment where processor = ${processor} and order_id = coalesce(
          (select order_id from refund where refund.id = split_part(reference, ':', 1)),
          (select order_id from refund where processor_id = reference),
          (select order_id from dispute where dispute.id = note),
          reference)),
        (select payment_id from processor_movement where processor = ${processor} and subject_id = reference limit 1),
        case when starts_with(reference, ${`${processor}:`}) then substr(reference, ${processor.length + 2}) end)
      from journal join kinds using (kind) join ledger_entry on journal_id = journal.id and ledger = ${ledger}
      where posted_at >= ${from} and posted_at < ${until}),
    owned as (select payment_id, order_id from touched join payment on processor = ${processor} and processor_id = payment_id),
    named as (
      select payment_id, order_id as reference from owned
      union select payment_id, ${`${processor}:`} || payment_id from touched
      union select payment_id, refund.id || case tries.number when 0 then '' else ':' || tries.number end
        from owned join refund using (order_id) cross join generate_series(0, attempt) as tries (number)
      union select payment_id, refund.id || case tries.number when 0 then '' else ':' || tries.number end
        from touched join refund on charge_id = ${`${processor}:`} || payment_id cross join generate_series(0, attempt) as tries (number)
      union select payment_id, refund.processor_id from owned join refund using (order_id)
      union select owned.payment_id, dispute.processor_id || ':' || places.number
        from owned join dispute using (order_id) cross join generate_series(0, ${DISPUTE_MOVEMENTS}::int) as places (number)
        where dispute.processor = ${processor}
      union select payment_id, unnest(array[movement.processor_id, subject_id])
        from touched join processor_movement as movement using (payment_id) where processor = ${processor}),
    booked as (
      select payment_id, what, currency, sum(amount_minor) as minor, max(posted_at) as at
      from named join journal using (reference) join kinds using (kind) join ledger_entry on journal_id = journal.id and ledger = ${ledger}
      group by 1, 2, 3),
    moved as (
      select payment_id, replace(kind, '_RETURNED', '') as what, currency, sum(amount_minor) as minor, max(moved_at) as at
      from touched join processor_movement using (payment_id) where processor = ${processor} group by 1, 2, 3)
    select payment_id as payment, (select order_id from owned where owned.payment_id = uneven.payment_id limit 1) as "orderId",
      what, currency, coalesce(booked, 0)::text as booked, coalesce(moved, 0)::text as moved, at
    from (select payment_id, what, currency, booked.minor as booked, moved.minor as moved, greatest(booked.at, moved.at) as at
      from booked full join moved using (payment_id, what, currency)) as uneven
    where payment_id is not null and coalesce(booked, 0) <> coalesce(moved, 0) and at < ${settledBefore}
    order by at, payment_id, what limit 200`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

/** Movements of a span that our books cannot know: they belong to no payment, and are neither fees nor payouts; oldest first, at most 200. */
export const strangeMovements = (em: EntityManager, { processor, from, until, settledBefore }: Compared): Promise<ProcessorMovement[]> =>
  em.find(
    ProcessorMovement,
    {
      processor,
      paymentId: null,
      kind: { $nin: BOOKED_AS_READ },
      movedAt: { $gte: from, $lt: until < settledBefore ? until : settledBefore },
    },
    { orderBy: { movedAt: 'asc', id: 'asc' }, limit: 200 },
  );

/** The balance of a ledger in each currency; debits are positive. */
export async function balanceOfLedger(em: EntityManager, ledger: Ledger): Promise<{ currency: string; minor: string }[]> {
  const { rows } = await sql<{ currency: string; minor: string }>`
    select currency, sum(amount_minor)::text as minor from ledger_entry where ledger = ${ledger} group by currency order by currency`.execute(
    em.getKysely(),
  );
  return rows;
}
