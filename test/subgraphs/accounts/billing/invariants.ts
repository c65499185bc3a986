// What the books, the orders, the subscriptions and the card processor's own records must agree on, whatever has happened. Each broken rule with what breaks it.
import { expect } from 'vitest';
import type { BillingWorld } from './world.ts';

/** Nothing may be found by these. The numbers group them. */
const NOTHING_FOUND: Record<string, string> = {
  'I1 a journal that does not sum to zero':
    'select journal_id from accounts.ledger_entry group by journal_id, currency having sum(amount_minor) <> 0',
  'I2 a paid order without exactly one journal and one invoice, or an unpaid one with any': `
    select id, kind, status from accounts.customer_order o where subtotal_minor + tax_minor > 0
      and not ((status in ('PAID', 'FULFILLED', 'REFUNDED')) = all (array[
        (select count(*) from accounts.invoice i where i.order_id = o.id and i.kind = 'INVOICE') = 1,
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
        <> s.current_period_end`,
  'I3 something told of a subscription after its end': `
    select ended.subject from platform.event ended join platform.event later on later.subject = ended.subject and later.id > ended.id
      where ended.type = 'subscription.ended' and later.type like 'subscription.%'`,
  'a balance that is not the sum of its entries': `
    select account_id from accounts.credit_balance b where amount_minor <> coalesce((select -sum(amount_minor) from accounts.ledger_entry e
      where e.account_id = b.account_id and e.currency = b.currency and ledger = 'CUSTOMER_CREDIT'), 0)`,
  'an invoice that is not settled': `
    select id from accounts.invoice i where total_minor <> coalesce((select sum(amount_minor) from accounts.invoice_settlement where invoice_id = i.id), 0)`,
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
    select held.reference from accounts.journal held join accounts.customer_order o on o.id = held.reference
      where held.kind = 'credit_held' and o.status in ('CANCELLED', 'EXPIRED')
        and not exists (select from accounts.journal back where back.kind = 'credit_released' and back.reference = held.reference)`,
};

const AMOUNTS = `select abs(amount_minor) as amount from accounts.ledger_entry join accounts.journal on id = journal_id
  where kind = any($1) and ledger = 'PROCESSOR' order by 1`;

/** `where` names the run in the failure. */
export async function expectInvariants({ query, sandbox }: Pick<BillingWorld, 'query' | 'sandbox'>, where: string): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(NOTHING_FOUND)) {
    const found = await query(sql);
    if (found.length > 0) broken[rule] = found.slice(0, 5);
  }
  expect(broken, where).toEqual({});
  // I5: what the processor took and gave back is what the books say, one by one.
  const sorted = (rows: readonly { amount: number }[]) => rows.map(({ amount }) => amount).sort((one, other) => one - other);
  const inBooks = async (...kinds: string[]) => (await query<{ amount: string }>(AMOUNTS, [kinds])).map(({ amount }) => Number(amount));
  const taken = sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  expect(await inBooks('order_paid', 'payment_credited'), where).toEqual(sorted(taken));
  expect(await inBooks('refund_sent'), where).toEqual(sorted(sandbox.card.refunds()));
}
