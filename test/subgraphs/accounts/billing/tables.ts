// What the tables of billing must agree on at any time.
import type { Query } from '../../../kit/tables.ts';

/** Nothing may be found by these. The numbers group them. */
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
      (select count(*) from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED'))
        <> (select count(*) from platform.event e where e.subject = s.id and e.type = 'subscription.renewed')
      or exists (select from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED')
        group by o.period_start having count(*) > 1)
      or (select max(o.period_end) from accounts.customer_order o where o.subscription_id = s.id and o.kind = 'RENEWAL' and o.status in ('PAID', 'FULFILLED'))
        <> s.current_period_end
        -- A period that ended while the account was suspended ends when it is restored.
        and not exists (select from platform.event e where e.subject = s.account_id and e.type = 'account.restored' and e.at = s.current_period_end)`,
  'I3 something told of a subscription after its end': `
    select ended.subject from platform.event ended join platform.event later on later.subject = ended.subject and later.id > ended.id
      where ended.type = 'subscription.ended' and later.type like 'subscription.%'`,
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
  'a pay-out that the books do not know': `
    select id from accounts.refund r where kind = 'PAY_OUT' and not elsewhere
      and not exists (select from accounts.journal j where j.kind in ('credit_paid_out', 'refund_not_owed') and j.reference = r.id)`,
};

/** Rules that are broken, each with a few of the rows that break it. */
export async function brokenRules(query: Query): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(NOTHING_FOUND)) {
    const found = await query(sql);
    if (found.length > 0) broken[rule] = found.slice(0, 5);
  }
  return broken;
}
