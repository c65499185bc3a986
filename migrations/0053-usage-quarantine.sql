-- Lines of networks that no plan can have carried: kept whole with the reason, in no sum, until support counts or discards them.
create table residential.usage_quarantine (
  id text primary key,
  source text not null,
  report_id text not null,
  line integer not null,
  plan_id text not null references residential.plan,
  reason text not null check (reason in ('line_rate', 'plan_rate', 'plan_rest', 'report_rate')),
  at timestamptz not null,
  received_at timestamptz not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  country text,
  session text,
  host text,
  client text,
  -- Null: it waits for support.
  decision text check (decision in ('ACCEPTED', 'DISCARDED')),
  decided_at timestamptz,
  -- The member of support, or the command.
  decided_by text,
  check ((decision is null) = (decided_at is null) and (decision is null) = (decided_by is null))
);
create index usage_quarantine_waiting on residential.usage_quarantine (source, id) where decision is null;
create index usage_quarantine_by_age on residential.usage_quarantine (received_at);
