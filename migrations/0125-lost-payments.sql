-- Refunds that did not arrive are not owed beside what their payer has of the payment: kept by the bank, or given back by hand, beyond the invoice.
alter table accounts.payment add column lost_minor bigint not null default 0;
alter table accounts.refund add column against_loss boolean not null default false;
update accounts.payment p set lost_minor = lost.minor
  from (
    select d.payment_id, sum(e.amount_minor) as minor
      from accounts.dispute d
      join accounts.journal j on j.kind in ('dispute_lost', 'dispute_recovered') and (j.reference = d.id or j.reference like d.id || ':%')
      join accounts.ledger_entry e on e.journal_id = j.id and e.ledger = 'LOSSES'
     group by d.payment_id
  ) lost
 where lost.payment_id = p.id and lost.minor > 0;

-- What came too late for its order, and became account credit, is a payment too: its payer can dispute it, and have it back by hand.
alter table accounts.payment add column credited boolean not null default false;
