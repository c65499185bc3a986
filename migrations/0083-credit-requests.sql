-- Credit that one member of support asks for and another one gives: more than one may give alone, or for an account of their own.
create table accounts.credit_request (
  id text primary key,
  account_id text not null references accounts.account,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The customer reads it once it is given.
  note text not null,
  asked_by text not null references accounts.account,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  decision text check (decision in ('APPROVED', 'DECLINED')),
  decided_by text references accounts.account,
  decided_at timestamptz,
  check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null)),
  -- Never by who asked, nor by who is given it.
  check (decided_by is distinct from asked_by),
  check (decision is distinct from 'APPROVED' or decided_by is distinct from account_id)
);
create index credit_request_open on accounts.credit_request (expires_at) where decision is null;
