-- A price of one account that lowers a price by more than one member of staff may: it waits for a second one, and becomes a price of the account, under the same
-- id, once that one agrees. Each seller has its own.
create table residential.account_price_request (
  id text primary key,
  account_id text not null,
  -- The item of the catalogue, such as `static.datacenter`.
  item text not null,
  -- In the form of the item's price in the catalogue, or hundredths of a percent off it.
  price jsonb,
  off_basis_points integer check (off_basis_points between 1 and 9999),
  -- By how much it is below the catalogue at most, when it was asked for.
  lowers_basis_points integer not null,
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  -- What the account has renews at it; its owner is told.
  running boolean not null,
  tell boolean not null,
  reason text not null,
  asked_at timestamptz not null,
  -- The account of a member of staff.
  asked_by text not null,
  expires_at timestamptz not null,
  decision text check (decision in ('APPROVED', 'DECLINED')),
  decided_at timestamptz,
  decided_by text,
  check ((price is null) <> (off_basis_points is null)),
  check (num_nulls(decision, decided_at, decided_by) in (0, 3))
);
create index account_price_request_of_account on residential.account_price_request (account_id);
create index account_price_request_open on residential.account_price_request (expires_at) where decision is null;
create table static.account_price_request (like residential.account_price_request including all);
create table compute.account_price_request (like residential.account_price_request including all);
revoke update, delete on residential.account_price_request from egress_residential;
revoke update, delete on static.account_price_request from egress_static;
revoke update, delete on compute.account_price_request from egress_compute;
grant update (decision, decided_at, decided_by) on residential.account_price_request to egress_residential;
grant update (decision, decided_at, decided_by) on static.account_price_request to egress_static;
grant update (decision, decided_at, decided_by) on compute.account_price_request to egress_compute;
