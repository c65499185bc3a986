-- What payers and their banks do without asking us: disputes, warnings of fraud, refunds that come back or were made at the processor.
-- Ledgers that other migrations have added stay allowed.
do $$
declare allowed text;
begin
  select replace(pg_get_constraintdef(oid), '''GOODWILL''::text', '''GOODWILL''::text, ''DISPUTED''::text, ''FEES''::text, ''LOSSES''::text') into strict allowed
    from pg_constraint where conname = 'ledger_entry_ledger_check' and conrelid = 'accounts.ledger_entry'::regclass;
  execute 'alter table accounts.ledger_entry drop constraint ledger_entry_ledger_check';
  -- Rows that stand keep to it already: they are checked without holding up who writes.
  execute 'alter table accounts.ledger_entry add constraint ledger_entry_ledger_check ' || allowed || ' not valid';
end $$;
alter table accounts.ledger_entry validate constraint ledger_entry_ledger_check;

alter table accounts.refund drop constraint refund_status_check;
alter table accounts.refund
  add constraint refund_status_check check (status in ('PENDING', 'DONE', 'CREDITED', 'FAILED', 'NOT_OWED')),
  -- How often its processor has let it fail: each try there has a key of its own.
  add column attempt int not null default 0,
  -- Why it failed: of one that waits for a person.
  add column failure text,
  -- Made at the processor, by hand; we have only heard of it.
  add column elsewhere boolean not null default false;
create index refund_failed on accounts.refund (created_at) where status = 'FAILED';

create table accounts.dispute (
  id text primary key,
  processor text not null,
  processor_id text not null,
  payment_id text not null references accounts.payment,
  order_id text not null references accounts.customer_order,
  -- What was bought: the order, or the purchase whose subscription the order renews or changes.
  purchase_id text not null references accounts.customer_order,
  account_id text not null references accounts.account,
  stage text not null check (stage in ('INQUIRY', 'DISPUTE')),
  status text not null check (status in ('NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'CLOSED')),
  reason text not null check (reason in ('FRAUD', 'NOT_RECEIVED', 'NOT_AS_DESCRIBED', 'CANCELLED', 'NOT_CREDITED', 'DUPLICATE', 'OTHER')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  -- With the payer's bank now.
  withdrawn_minor bigint not null default 0,
  -- What the processor has kept for it, in the currency of its own books.
  fee_minor bigint not null default 0,
  fee_currency text,
  respond_by timestamptz,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- Since when what was bought stands still for it.
  frozen_at timestamptz,
  warned_at timestamptz,
  submitted_at timestamptz,
  unique (processor, processor_id)
);
create index dispute_order on accounts.dispute (order_id);
create index dispute_purchase on accounts.dispute (purchase_id);
create index dispute_account on accounts.dispute (account_id);
create index dispute_open on accounts.dispute (respond_by) where status in ('NEEDS_RESPONSE', 'UNDER_REVIEW');

-- What a seller knows of the use of what was disputed, in lines, as it was when it was asked.
create table accounts.dispute_record (
  dispute_id text not null references accounts.dispute,
  subject text not null,
  title text not null,
  lines jsonb not null,
  given_at timestamptz not null,
  primary key (dispute_id, subject)
);

create table accounts.fraud_warning (
  id text primary key,
  processor text not null,
  processor_id text not null,
  order_id text not null references accounts.customer_order,
  account_id text not null references accounts.account,
  kind text not null,
  actionable boolean not null,
  warned_at timestamptz not null,
  closed_at timestamptz,
  unique (processor, processor_id)
);
create index fraud_warning_open on accounts.fraud_warning (warned_at) where closed_at is null;
create index fraud_warning_account on accounts.fraud_warning (account_id);

alter table accounts.billing_subscription add column frozen_at timestamptz;
