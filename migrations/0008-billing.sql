-- The books: every movement of money in double entry, invoices without gaps in their numbers, and answers kept for repeated requests.
-- What is written here stays as it is: the database itself refuses changes, and refuses a journal that does not balance.
create table accounts.journal (
  id text primary key,
  position bigint generated always as identity unique,
  kind text not null,
  -- The id of what is posted: of one thing each kind is posted once.
  reference text not null,
  account_id text references accounts.account,
  note text not null,
  posted_at timestamptz not null,
  tx xid8 not null default pg_current_xact_id(),
  unique (kind, reference)
);

-- Debit above zero, credit below.
create table accounts.ledger_entry (
  journal_id text not null references accounts.journal,
  line smallint not null,
  ledger text not null check (ledger in ('PROCESSOR', 'CUSTOMER_CREDIT', 'CREDIT_HELD', 'REFUND_OWED', 'REVENUE', 'TAX', 'GOODWILL')),
  account_id text references accounts.account,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor <> 0),
  primary key (journal_id, line),
  check ((account_id is not null) = (ledger in ('CUSTOMER_CREDIT', 'CREDIT_HELD')))
);
create index ledger_entry_account on accounts.ledger_entry (account_id, ledger, journal_id) where account_id is not null;

create trigger journal_append_only before update or delete or truncate on accounts.journal
  for each statement execute function platform.refuse();
create trigger ledger_entry_append_only before update or delete or truncate on accounts.ledger_entry
  for each statement execute function platform.refuse();

create function accounts.refuse_late_entry() returns trigger language plpgsql as $$
begin
  if not exists (select from accounts.journal where id = new.journal_id and tx = pg_current_xact_id()) then
    raise exception 'journal % is closed: its transaction has ended', new.journal_id;
  end if;
  return new;
end $$;
create trigger ledger_entry_in_time before insert on accounts.ledger_entry for each row execute function accounts.refuse_late_entry();

create function accounts.check_journal() returns trigger language plpgsql as $$
declare off_by record;
begin
  select currency, sum(amount_minor) as sum into off_by from accounts.ledger_entry
    where journal_id = new.id group by currency having sum(amount_minor) <> 0 limit 1;
  if found then
    raise exception 'journal % is off by % %', new.id, off_by.sum, off_by.currency using errcode = 'check_violation';
  end if;
  if not exists (select from accounts.ledger_entry where journal_id = new.id) then
    raise exception 'journal % has no entries', new.id using errcode = 'check_violation';
  end if;
  return null;
end $$;
-- Entries come in the transaction of their journal alone, so looking once at its end sees them all.
create constraint trigger journal_balanced after insert on accounts.journal
  deferrable initially deferred for each row execute function accounts.check_journal();

-- What each account may spend. Only the trigger below writes it, so that it cannot differ from the entries, and it never falls below zero.
create table accounts.credit_balance (
  account_id text not null references accounts.account,
  currency text not null,
  amount_minor bigint not null check (amount_minor >= 0),
  primary key (account_id, currency)
);
create function accounts.carry_credit() returns trigger language plpgsql security definer set search_path = accounts, pg_temp as $$
begin
  insert into credit_balance (account_id, currency, amount_minor) values (new.account_id, new.currency, 0) on conflict do nothing;
  update credit_balance set amount_minor = amount_minor - new.amount_minor where account_id = new.account_id and currency = new.currency;
  return null;
end $$;
create trigger ledger_entry_carries_credit after insert on accounts.ledger_entry
  for each row when (new.ledger = 'CUSTOMER_CREDIT') execute function accounts.carry_credit();
revoke insert, update, delete on accounts.credit_balance from egress_accounts;

-- Account credit pays first: lines and tax stay what was sold, the total is what is still to be paid.
alter table accounts.customer_order
  add column credit_minor bigint not null default 0 check (credit_minor >= 0),
  add column tax_basis_points int not null default 0 check (tax_basis_points >= 0),
  drop constraint customer_order_check,
  add constraint customer_order_total check (total_minor = subtotal_minor + tax_minor - credit_minor and total_minor >= 0);

-- To whom invoices are written.
create table accounts.billing_details (
  account_id text primary key references accounts.account,
  name text not null,
  address jsonb not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  tax_id text,
  updated_at timestamptz not null
);

-- Invoices and credit notes, as they were issued: seller and buyer as they were then.
create table accounts.invoice_series (
  series text primary key,
  last int not null
);
create table accounts.invoice (
  id text primary key,
  series text not null references accounts.invoice_series,
  number int not null,
  kind text not null check (kind in ('INVOICE', 'CREDIT_NOTE')),
  account_id text not null references accounts.account,
  order_id text references accounts.customer_order,
  corrects_id text references accounts.invoice,
  note text not null,
  period_start timestamptz,
  period_end timestamptz,
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null,
  currency text not null,
  subtotal_minor bigint not null,
  tax_basis_points int not null,
  tax_minor bigint not null,
  total_minor bigint not null check (total_minor = subtotal_minor + tax_minor and total_minor >= 0),
  issued_at timestamptz not null,
  unique (series, number),
  check ((kind = 'CREDIT_NOTE') = (corrects_id is not null))
);
create index invoice_account on accounts.invoice (account_id, issued_at desc, number desc);
create unique index invoice_order on accounts.invoice (order_id) where kind = 'INVOICE';
create index invoice_corrects on accounts.invoice (corrects_id) where corrects_id is not null;

-- What was paid on an invoice, or given back by a credit note.
create table accounts.invoice_settlement (
  invoice_id text not null references accounts.invoice,
  method text not null check (method in ('CARD', 'CREDIT')),
  reference text not null,
  amount_minor bigint not null check (amount_minor > 0),
  settled_at timestamptz not null,
  primary key (invoice_id, method, reference)
);

create trigger invoice_append_only before update or delete or truncate on accounts.invoice
  for each statement execute function platform.refuse();
create trigger invoice_settlement_append_only before update or delete or truncate on accounts.invoice_settlement
  for each statement execute function platform.refuse();
create trigger invoice_series_kept before delete or truncate on accounts.invoice_series
  for each statement execute function platform.refuse();

create function accounts.refuse_gap() returns trigger language plpgsql as $$
begin
  if new.number <> 1 + coalesce((select max(number) from accounts.invoice where series = new.series), 0) then
    raise exception 'invoice % % would leave a gap', new.series, new.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger invoice_without_gap before insert on accounts.invoice for each row execute function accounts.refuse_gap();

-- Money that goes back to a card: decided here, sent after the commit, looked up before it is sent again.
create table accounts.refund (
  id text primary key,
  order_id text not null references accounts.customer_order,
  credit_note_id text not null references accounts.invoice,
  destination text not null check (destination in ('CARD', 'CREDIT')),
  amount_minor bigint not null check (amount_minor > 0),
  tax_minor bigint not null check (tax_minor >= 0),
  currency text not null,
  reason text not null,
  status text not null check (status in ('PENDING', 'DONE', 'CREDITED')),
  processor_id text unique,
  created_at timestamptz not null,
  done_at timestamptz
);
create index refund_order on accounts.refund (order_id);
create index refund_pending on accounts.refund (created_at) where status = 'PENDING';

-- Requests that must have one effect, however often they are sent: who asked what under which key, and what was answered.
create table accounts.idempotent_request (
  account_id text not null references accounts.account,
  key text not null,
  request_hash text not null,
  attempt text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  answer jsonb,
  primary key (account_id, key)
);
create index idempotent_request_started on accounts.idempotent_request (started_at);
