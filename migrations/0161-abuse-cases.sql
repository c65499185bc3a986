-- Complaints about what customers do: a case with what was found, said and done. What stands in its entries is evidence, and is never changed.
create table accounts.abuse_case (
  id text primary key,
  state text not null check (state in ('OPEN', 'WAITING', 'CLOSED')),
  kind text not null check (kind in ('SPAM', 'SCANNING', 'INTRUSION', 'FRAUD', 'COPYRIGHT', 'DENIAL_OF_SERVICE', 'OTHER')),
  reporter text not null,
  -- The complaint as it came.
  complaint text not null,
  -- Who used this address, or exit, so many minutes around that time is asked of the sellers when the case is opened.
  address text,
  happened_at timestamptz,
  minutes int,
  opened_by text not null,
  opened_at timestamptz not null,
  -- Until when a customer who was warned may answer.
  respond_by timestamptz,
  closed_at timestamptz
);
create index abuse_case_unclosed on accounts.abuse_case (opened_at) where closed_at is null;

create table accounts.abuse_entry (
  id text primary key,
  case_id text not null references accounts.abuse_case,
  at timestamptz not null,
  -- A member of staff; null: the platform.
  by text,
  kind text not null check (kind in ('NOTE', 'USE', 'WARNING', 'DEED', 'STATE')),
  -- Whom it links to the case.
  account_id text references accounts.account,
  title text not null,
  -- [{ at, text }, ...], in the order of time.
  lines jsonb not null default '[]'
);
create index abuse_entry_of_case on accounts.abuse_entry (case_id, at);
create index abuse_entry_of_account on accounts.abuse_entry (account_id) where account_id is not null;
create trigger abuse_entry_append_only before update or delete on accounts.abuse_entry for each statement execute function platform.refuse();
