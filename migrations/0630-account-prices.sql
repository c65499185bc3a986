-- A price of one account: instead of the catalogue's, or so much off it. As entries of the catalogue these are written once, so that each price that ever held can
-- be told; one can be ended, which is written beside it once. Each seller has its own.
create table residential.account_price (
  id text primary key,
  account_id text not null,
  -- The item of the catalogue, such as `static.datacenter`.
  item text not null,
  -- In the form of the item's price in the catalogue, or hundredths of a percent off it.
  price jsonb,
  off_basis_points integer check (off_basis_points between 1 and 9999),
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  set_at timestamptz not null,
  -- The account of a member of staff.
  set_by text not null,
  reason text not null,
  ended_at timestamptz,
  ended_by text,
  check ((price is null) <> (off_basis_points is null)),
  check ((ended_at is null) = (ended_by is null))
);
create index account_price_of_account on residential.account_price (account_id);
create table static.account_price (like residential.account_price including all);
create table compute.account_price (like residential.account_price including all);
revoke update, delete on residential.account_price from egress_residential;
revoke update, delete on static.account_price from egress_static;
revoke update, delete on compute.account_price from egress_compute;
grant update (ended_at, ended_by) on residential.account_price to egress_residential;
grant update (ended_at, ended_by) on static.account_price to egress_static;
grant update (ended_at, ended_by) on compute.account_price to egress_compute;

-- A repricing of one account's subscriptions, which applies as soon as the account's price does: it makes nothing dearer. Null: of all subscriptions of the item.
alter table static.repricing add column account_id text, drop constraint repricing_check, add check (applies_from >= priced_at);
alter table compute.repricing add column account_id text, drop constraint repricing_check, add check (applies_from >= priced_at);
