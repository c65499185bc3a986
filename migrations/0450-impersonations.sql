-- Members of staff who look at an account as its owner sees it, for half an hour, and change nothing. It ends with the session that it was begun in.
create table accounts.impersonation (
  id text primary key,
  token_hash text not null unique,
  account_id text not null references accounts.account,
  staff_id text not null references accounts.account,
  session_id text not null references accounts.session on delete cascade,
  reason text not null,
  started_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > started_at)
);
create index impersonation_of_session on accounts.impersonation (session_id);
create index impersonation_of_account on accounts.impersonation (account_id);
