-- Where machines are put is decided by what is promised, in one place at a time: what each node had at the last look, and which machine was put where, also when it did
-- not come out well there and something of it is left.
create table compute.node (
  name text primary key,
  online boolean not null,
  cores integer not null,
  memory_bytes bigint not null,
  -- Where disks of new machines go; null: nobody knows.
  storage text,
  disk_bytes bigint not null,
  disk_used_bytes bigint not null,
  -- Images that it has a template of.
  images text[] not null,
  -- What machines that are not ours were promised there.
  foreign_cores integer not null,
  foreign_memory_bytes bigint not null,
  foreign_disk_bytes bigint not null,
  seen_at timestamptz not null,
  -- Its operator drains it: nothing new comes.
  in_maintenance boolean not null default false
);

create table compute.placement (
  -- The machine's number at the hypervisor.
  number integer primary key,
  server_id text not null references compute.server,
  account_id text not null,
  node text not null,
  cores integer not null,
  ram_gb integer not null,
  storage_gb integer not null,
  placed_at timestamptz not null,
  -- Since then its guest may have been seen at its addresses, which rest before they are somebody else's.
  started_at timestamptz,
  -- It did not come out well there, and why.
  failed_at timestamptz,
  trouble text,
  -- Nothing of it is there any more.
  gone_at timestamptz
);
create index placement_standing on compute.placement (node) where gone_at is null;
create index placement_of_server on compute.placement (server_id);
create index placement_failed on compute.placement (failed_at) where failed_at is not null;

insert into compute.placement (number, server_id, account_id, node, cores, ram_gb, storage_gb, placed_at, started_at)
select machine_number, id, account_id, coalesce(node, ''),
  case plan_code when 'PLANK' then 8 when 'BROGLIE' then 12 else 16 end,
  case plan_code when 'PLANK' then 16 when 'BROGLIE' then 24 else 32 end,
  case plan_code when 'PLANK' then 100 when 'BROGLIE' then 120 else 150 end,
  created_at, created_at
from compute.server where kind = 'VPS' and machine_number is not null;
