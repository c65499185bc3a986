-- Proxy users: people and programs to whom the owner of a plan gives a part of it. Each has a username and password of its own, limits inside of the plan's, and
-- bytes that are the plan's as well. They change under the lock of the plan's row, as everything that is metered against it.
create table residential.proxy_user (
  id text primary key,
  plan_id text not null references residential.plan,
  account_id text not null,
  name text not null,
  username text not null unique,
  password_sealed bytea not null,
  password_fingerprint bytea not null,
  credential_epoch integer not null default 1,
  paused boolean not null default false,
  -- Of a UTC day, of a calendar month of UTC, and for good; no limit where null.
  daily_limit_bytes bigint check (daily_limit_bytes > 0),
  monthly_limit_bytes bigint check (monthly_limit_bytes > 0),
  total_limit_bytes bigint check (total_limit_bytes > 0),
  -- Where the last limit began to count: what was used when its owner gave the user a new allowance.
  counted_from_bytes bigint not null default 0,
  up_bytes bigint not null default 0 check (up_bytes >= 0),
  down_bytes bigint not null default 0 check (down_bytes >= 0),
  used_at timestamptz,
  -- { countries, targets, clients }: what its lines are for; absent members allow everything.
  rules jsonb not null default '{}',
  -- The address where its use can be read without signing in.
  page_hash text unique,
  page_made_at timestamptz,
  created_at timestamptz not null,
  removed_at timestamptz
) with (fillfactor = 80);
create index proxy_user_of_plan on residential.proxy_user (plan_id, created_at desc, id desc);

-- Sums of what of the ledger is a user's; they change in the transaction of the entries.
create table residential.proxy_user_day (
  user_id text not null references residential.proxy_user,
  day date not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  primary key (user_id, day)
) with (fillfactor = 80);

-- Null: the plan's own lines. Columns without a default rewrite nothing.
alter table residential.usage_entry add column user_id text;
alter table residential.lease add column user_id text;
alter table residential.usage_quarantine add column user_id text;

-- What nodes must hear within the second; a user stands where nodes say a plan, as plan/user.
create function residential.announce_user_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('egress_plan_change', json_build_object('planId', new.plan_id || '/' || new.id, 'epoch', new.credential_epoch)::text);
  return null;
end $$;
create trigger user_change_announced after update on residential.proxy_user for each row
  when (
    old.credential_epoch is distinct from new.credential_epoch or old.paused is distinct from new.paused or old.removed_at is distinct from new.removed_at
    or old.daily_limit_bytes is distinct from new.daily_limit_bytes or old.monthly_limit_bytes is distinct from new.monthly_limit_bytes
    or old.total_limit_bytes is distinct from new.total_limit_bytes or old.counted_from_bytes is distinct from new.counted_from_bytes
    or old.rules is distinct from new.rules
  )
  execute function residential.announce_user_change();
