-- What owners keep beside their servers, of both kinds: a name, labels, protection, names of addresses, firewall rules, a way in for rescue.
alter table compute.server
  add column name text check (length(name) between 1 and 64),
  add column labels jsonb not null default '{}',
  add column protected boolean not null default false,
  -- The one-time password of the rescue system, while that runs.
  add column rescue_password_sealed bytea;

-- The name that an address has in the reverse zone, as its owner wants it, and whether the name server has it so.
create table compute.reverse_name (
  ip inet primary key check (family(ip) = 4 and masklen(ip) = 32),
  -- Null: none.
  name text,
  -- Of the wish; what is set is an earlier wish while they differ.
  version integer not null default 1,
  applied_version integer not null default 0,
  trouble text,
  next_at timestamptz not null
);
create index reverse_name_due on compute.reverse_name (next_at) where applied_version < version;

create table compute.firewall (
  server_id text primary key references compute.server,
  enabled boolean not null default false,
  -- In the order in which they are tried; domain/firewall.ts says what each holds.
  rules jsonb not null default '[]',
  version integer not null default 1,
  applied_version integer not null default 0,
  trouble text,
  next_at timestamptz not null
);
create index firewall_due on compute.firewall (next_at) where applied_version < version;
