-- A server follows its subscription and what was bought for it later: wanted plan, addresses and backups stand here, what the machine has beside them,
-- and whatever differs is made true. The commands of operations are a table of the code: a check here would only repeat it.
alter table compute.server
  -- What accounts said last; absent until it has.
  add column subscription_version integer,
  add column subscription_status text,
  add column period_start timestamptz,
  add column period_end timestamptz,
  add column cancel_at_period_end boolean not null default false,
  -- It ran when it was suspended, and is to run again once it is paid.
  add column run_when_resumed boolean not null default false,
  -- The plan that the machine really has; null before it is built.
  add column machine_plan_code text,
  add column backups boolean not null default false,
  add column next_backup_at timestamptz,
  add column user_data_sealed bytea;
update compute.server set machine_plan_code = plan_code where kind = 'VPS' and status in ('ACTIVE', 'SUSPENDED');

alter table compute.operation drop constraint if exists operation_command_check;

-- Backups on separate storage. A row exists from the moment that a volume is known; the volume carries the id of the operation that made it.
create table compute.backup (
  id text primary key,
  server_id text not null references compute.server,
  operation_id text not null unique,
  kind text not null check (kind in ('SCHEDULED', 'MANUAL', 'SAFETY')),
  volume text not null unique,
  size_bytes bigint not null,
  taken_at timestamptz not null,
  -- Of a safety snapshot; the others go when newer ones have come.
  expires_at timestamptz
);
create index backup_of_server on compute.backup (server_id, taken_at desc, id desc);
create index backup_expiring on compute.backup (expires_at) where expires_at is not null;

alter table compute.operation
  -- RESTORE: what is restored. BACKUP: whether the schedule asked.
  add column backup_id text,
  add column scheduled boolean not null default false;

-- A way into a console, once: for one server and one session, for a minute.
create table compute.console_ticket (
  token_hash text primary key,
  server_id text not null references compute.server,
  session_id text not null,
  kind text not null check (kind in ('TEXT', 'GRAPHIC')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index console_ticket_expiring on compute.console_ticket (expires_at);
