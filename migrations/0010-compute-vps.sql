-- Servers that are really made: where each machine is, how its owner gets in, and every long action as a row that any process can carry on.
alter table compute.server
  add column node text,
  -- The machine's number at the hypervisor: drawn once, so that a clone asked for twice is made once.
  add column machine_number integer unique,
  add column os text check (os in ('UBUNTU_24_04', 'UBUNTU_25_04', 'DEBIAN_12', 'DEBIAN_13', 'WINDOWS_SERVER_2022')),
  add column months smallint check (months in (1, 3, 6)),
  add column extra_ipv4 smallint not null default 0 check (extra_ipv4 between 0 and 8),
  add column ssh_keys text[] not null default '{}',
  add column login_name text,
  add column password_sealed bytea;

create sequence compute.machine_number start 10000 maxvalue 999999999;

create table compute.operation (
  id text primary key,
  server_id text not null references compute.server,
  account_id text not null,
  command text not null check (command in ('BUILD', 'RELEASE', 'START', 'REBOOT', 'STOP', 'FORCE_STOP', 'RESET_PASSWORD')),
  status text not null default 'RUNNING' check (status in ('RUNNING', 'SUCCESS', 'ERROR')),
  step text not null,
  -- The hypervisor's own work that the step waits for.
  work text,
  -- Troubles in a row in this step.
  tries integer not null default 0,
  rebuilds integer not null default 0,
  -- Each taking in hand counts: what an earlier one writes afterwards is refused.
  claims integer not null default 0,
  -- When somebody is to go on with it; while it is in hand, when it counts as abandoned.
  next_at timestamptz not null,
  step_deadline timestamptz,
  deadline timestamptz,
  -- The password that it sets.
  secret_sealed bytea,
  last_trouble text,
  started_at timestamptz not null,
  finished_at timestamptz,
  error_code text,
  error_message text,
  check ((status = 'RUNNING') = (finished_at is null))
);
-- One at a time on a server.
create unique index operation_of_server_running on compute.operation (server_id) where status = 'RUNNING';
create index operation_of_server on compute.operation (server_id, started_at desc, id desc);
create index operation_due on compute.operation (next_at) where status = 'RUNNING';
create index operation_of_account on compute.operation (account_id);
