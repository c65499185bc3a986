// The rules that the tables of billing must keep, as queries for the rows that break them.
import type { Query } from '../../../kit/tables.ts';

/** Rules that hold at any time: a query that finds a row has found a broken rule. The numbers group them. */
const NOTHING_FOUND: Record<string, string> = {
  'I1 a journal that does not sum to zero':
    'select journal_id from accounts.ledger_entry group by journal_id, currency having sum(amount_minor) <> 0',
  'I2 a paid order without exactly one journal and one invoice, or an unpaid one with any': `
    select id, kind, status from accounts.customer_order o where subtotal_minor + tax_minor > 0
      and not ((status in ('PAID', 'FULFILLED', 'REFUNDED')) = all (array[
        (select count(*) from accounts.invoice i where i.order_id = o.id and i.kind = 'INVOICE' and i.replaces_id is null) = 1,
        (select count(*) from accounts.journal j where j.reference = o.id and j.kind = 'order_paid') = 1]))`,
  'I2 a purchase or a change that its seller was not told of exactly once': `
    select id, kind, status from accounts.customer_order o where (select count(*) from platform.event e where e.subject = o.id and e.type = 'order.paid')
      <> case when kind <> 'RENEWAL' and status in ('PAID', 'FULFILLED', 'REFUNDED') then 1 else 0 end`,
  'I2 a subscription that was not started by exactly one purchase': `
    select s.id from accounts.billing_subscription s join accounts.customer_order o on o.id = s.order_id
      where o.kind <> 'PURCHASE' or (select count(*) from platform.event e where e.subject = s.id and e.type = 'subscription.started') <> 1`,
  'I3 a period that was not paid, or paid twice': `
    select s.id from accounts.billing_subscription s where
      (select count(*) from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED', 'REFUNDED'))
        <> (select count(*) from platform.event e where e.subject = s.id and e.type = 'subscription.renewed')
      or exists (select from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED', 'REFUNDED')
        group by o.period_start having count(*) > 1)
      or (select max(o.period_end) from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED', 'REFUNDED'))
        <> s.current_period_end
        -- A period that ended while the account was suspended ends when it is restored.
        and not exists (select from platform.event e where e.subject = s.account_id and e.type = 'account.restored' and e.at = s.current_period_end)`,
  'I3 something told of a subscription after its end': `
    select ended.subject, ended.data ->> 'reason' as reason, ended.at, later.type, later.at as later_at from platform.event ended join platform.event later on later.subject = ended.subject and later.id > ended.id
      where ended.type = 'subscription.ended' and later.type like 'subscription.%' and later.type <> 'subscription.ended_by_support'`,
  'a balance that is not the sum of its entries': `
    select account_id from accounts.credit_balance b where amount_minor <> coalesce((select -sum(amount_minor) from accounts.ledger_entry e
      where e.account_id = b.account_id and e.currency = b.currency and ledger = 'CUSTOMER_CREDIT'), 0)`,
  'an invoice that is not settled': `
    select id from accounts.invoice i
      where total_minor <> coalesce((select sum(amount_minor) from accounts.invoice_settlement where invoice_id = i.id), 0)`,
  'an invoice that lets go of anything but what the books call a shortfall': `
    select order_id from accounts.invoice i join accounts.invoice_settlement on invoice_id = i.id where kind = 'INVOICE' and replaces_id is null
      group by order_id having sum(short_minor) <> coalesce((select sum(amount_minor) from accounts.ledger_entry
        join accounts.journal j on j.id = journal_id where ledger = 'SHORTFALL' and j.reference = order_id), 0)`,
  'an invoice of which more was given back than it says': `
    select i.id from accounts.invoice i join accounts.invoice n on n.corrects_id = i.id group by i.id
      having sum(n.subtotal_minor) > i.subtotal_minor or sum(n.tax_minor) > i.tax_minor or bool_or(n.tax_basis_points <> i.tax_basis_points)`,
  'a correction of an invoice in another country than it was taxed for': `
    select n.id, n.kind, i.buyer ->> 'country' as taxed, n.buyer ->> 'country' as corrected from accounts.invoice n
      join accounts.invoice i on i.id in (n.corrects_id, n.replaces_id)
      where i.buyer ->> 'country' is not null and n.buyer ->> 'country' is distinct from i.buyer ->> 'country'`,
  'an account that got back more tax than it paid': `
    select j.account_id from accounts.ledger_entry join accounts.journal j on j.id = journal_id
      where ledger = 'TAX' group by j.account_id, currency having sum(amount_minor) > 0`,
  'a balance of tax that is not the sum of its entries': `
    select account_id from accounts.tax_balance b where amount_minor <> coalesce((select -sum(amount_minor) from accounts.ledger_entry e
      join accounts.journal j on j.id = e.journal_id where j.account_id = b.account_id and e.currency = b.currency and ledger = 'TAX'), 0)`,
  'a series of invoices with a gap': 'select series from accounts.invoice group by series having max(number) <> count(*)',
  'credit held for an order that nobody can pay': `
    select held.reference from accounts.journal held join accounts.customer_order o on o.id = split_part(held.reference, ':', 1)
      where held.kind = 'credit_held' and o.status in ('CANCELLED', 'EXPIRED')
        and not exists (select from accounts.journal back where back.kind = 'credit_released' and back.reference = o.id)`,
  'refunds and pay-outs that wait, other than what the books owe': `
    select promised, owed from (select coalesce(sum(amount_minor), 0) as promised from accounts.refund where status in ('PENDING', 'FAILED')) r,
      (select coalesce(-sum(amount_minor), 0) as owed from accounts.ledger_entry where ledger = 'REFUND_OWED') l where promised <> owed`,
  'a charge of which more was refunded and paid out than it took': `
    select charge, taken, back from (
      select charge, sum(taken) as taken, sum(back) as back from (
        select p.processor || ':' || p.processor_id as charge, p.amount_minor as taken, coalesce((select sum(r.amount_minor) from accounts.refund r
          join accounts.customer_order o on o.id = r.order_id and o.method = r.destination
          where r.order_id = p.order_id and r.kind = 'REFUND' and r.status <> 'CREDITED' and not r.against_loss), 0) as back from accounts.payment p
        union all
        select case j.kind when 'transfer_credited' then replace(reference, 'transfer:', 'bank:')
          else 'crypto:' || split_part(reference, ':', 1) end, -amount_minor, 0
          from accounts.journal j join accounts.ledger_entry e on e.journal_id = j.id and e.ledger = 'CUSTOMER_CREDIT'
          where j.kind in ('transfer_credited', 'crypto_credited')
        union all
        select charge_id, 0, amount_minor from accounts.refund where kind = 'PAY_OUT' and status <> 'CREDITED' and not against_loss) parts
      group by charge) charges where back > taken`,
  'account credit that nothing explains': `
    with made as (select j.kind, j.reference, split_part(j.reference, ':', 1) as thing, -e.amount_minor as minor
      from accounts.ledger_entry e join accounts.journal j on j.id = e.journal_id where e.ledger = 'CUSTOMER_CREDIT' and e.amount_minor < 0)
    select kind, reference, minor from made where minor is distinct from case kind
      when 'change_credited' then (select sum(amount_minor) from accounts.invoice n join accounts.invoice_settlement s on s.invoice_id = n.id
        where n.kind = 'CREDIT_NOTE' and n.order_id = made.reference and s.reference = made.reference)
      when 'refund_granted' then (select amount_minor from accounts.refund where id = reference and destination = 'CREDIT')
      when 'refund_credited' then (select amount_minor from accounts.refund where id = thing)
      when 'payment_credited' then (select amount_minor from accounts.payment where processor || ':' || processor_id = reference and credited)
      when 'credit_released' then (select sum(amount_minor) from accounts.ledger_entry e join accounts.journal j on j.id = e.journal_id
        where j.kind = 'credit_held' and e.ledger = 'CUSTOMER_CREDIT' and split_part(j.reference, ':', 1) = thing)
      when 'dispute_recovered' then (select min(amount_minor) from accounts.ledger_entry e join accounts.journal j on j.id = e.journal_id
        where j.kind = 'dispute_lost' and e.ledger = 'CUSTOMER_CREDIT' and split_part(j.reference, ':', 1) = thing)
      when 'credit_granted' then (select minor where exists (select from platform.event where subject in (reference, thing) and type like 'credit%')) end
      -- Money that arrived by itself is held against what arrived.
      and kind not in ('transfer_credited', 'crypto_credited')`,
  'a pay-out that the books do not know': `
    select id from accounts.refund r where kind = 'PAY_OUT' and not elsewhere
      and not exists (select from accounts.journal j where j.kind in ('credit_paid_out', 'refund_not_owed') and j.reference = r.id)`,
};

/** Rules about sellers and event readers that hold once no work is left. `$1` is the present. */
const NOTHING_LEFT: Record<string, string> = {
  'a paid order that is neither delivered nor paid back in time': `
    select id, seller, kind, paid_at from accounts.customer_order
      where status = 'PAID' and kind <> 'RENEWAL' and seller in ('residential', 'static') and paid_at < $1::timestamptz - interval '72 hours'`,
  'a static plan whose quantity, addresses and billed lines differ': `
    select p.id, p.status, p.quantity, held, billed from static.plan p,
      lateral (select count(*) as held from static.address where plan_id = p.id) a,
      lateral (select sum((line ->> 'quantity')::int) as billed from accounts.billing_subscription s, jsonb_array_elements(s.lines) line
        where s.id = p.subscription_id) s
      where case when p.status in ('ACTIVE', 'SUSPENDED') then p.quantity <> held or p.quantity <> billed else held > 0 end`,
  'a plan whose subscription is over, or the reverse': `
    select p.id, p.status, s.status as billing from static.plan p join accounts.billing_subscription s on s.id = p.subscription_id
      where (p.status in ('ACTIVE', 'SUSPENDED')) <> (s.status <> 'CANCELED')`,
  'a reader that is behind': `
    select reader, position from platform.cursor where position < (select max(position) from platform.event_order)`,
  'an event that was set aside': 'select reader, type, subject, error from platform.dead_letter',
};

/** The broken rules, at `now`, among those that hold once no work is left: each with a few of the rows that break it. */
export const brokenAtRest = (query: Query, now: Date): Promise<Record<string, unknown[]>> => found(query, NOTHING_LEFT, [now]);

/** The broken rules among those that hold at any time: each with a few of the rows that break it. */
export const brokenRules = (query: Query): Promise<Record<string, unknown[]>> => found(query, NOTHING_FOUND, []);

async function found(query: Query, rules: Record<string, string>, values: unknown[]): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(rules)) {
    const rows = await query(sql, sql.includes('$1') ? values : []);
    if (rows.length > 0) broken[rule] = rows.slice(0, 5);
  }
  return broken;
}
