-- Proxy nodes spend a plan's allowance only in leases: what is settled and what is leased together never exceed what was sold, nor what is left of the day.
-- Everything here changes under the lock of the plan's row, so grants, reports, limits and resets of one plan have one order.
create table residential.edge (
  id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  -- Null for the node that runs inside the platform's own process.
  key_hash text unique,
  enrolled_at timestamptz not null,
  revoked_at timestamptz,
  seen_at timestamptz
);

create table residential.lease (
  id bigint generated always as identity primary key,
  plan_id text not null references residential.plan,
  edge_id text not null references residential.edge,
  -- A lease belongs to one UTC day and ends with it: days and the Daily Usage Limit are exact.
  day date not null,
  credential_epoch integer not null,
  granted_bytes bigint not null check (granted_bytes > 0),
  -- The sum of its parts.
  settled_bytes bigint not null default 0 check (settled_bytes >= 0 and settled_bytes <= granted_bytes),
  expires_at timestamptz not null,
  open boolean not null default true
) with (fillfactor = 70);
-- Ids begin anywhere: a journal of a node that outlived its database must not speak of the next database's leases.
do $$
begin
  execute format('alter table residential.lease alter column id restart with %s', 1 + (random() * 1e15)::bigint);
end $$;
-- What is leased is the sum over these: few per plan, so no counter that could drift.
create index lease_open_of_plan on residential.lease (plan_id) where open;
create index lease_open_until on residential.lease (expires_at) where open;
create index lease_closed on residential.lease (expires_at) where not open;

-- Cumulative counters of a lease by who caused the bytes. A report raises them to a maximum, so repeats, losses and disorder change nothing;
-- what they grow by is entered in the ledger in the same transaction.
create table residential.lease_part (
  lease_id bigint not null references residential.lease on delete cascade,
  country text not null,
  -- Empty for rotating lines.
  session text not null,
  host text not null,
  client text not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  primary key (lease_id, country, session, host, client)
) with (fillfactor = 70);

-- What nodes must hear within the second: a new password, another limit, a new status, more bytes.
create function residential.announce_plan_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('egress_plan_change', json_build_object('planId', new.id, 'epoch', new.credential_epoch)::text);
  return null;
end $$;
create trigger plan_change_announced after update on residential.plan for each row
  when (
    old.credential_epoch is distinct from new.credential_epoch or old.daily_limit_bytes is distinct from new.daily_limit_bytes
    or old.announced_status is distinct from new.announced_status or old.total_bytes is distinct from new.total_bytes
  )
  execute function residential.announce_plan_change();
