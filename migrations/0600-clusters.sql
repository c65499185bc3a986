-- Clusters of the hypervisor. `main` is the one that the settings name, so it has no terms here. A node of any other is named CLUSTER/NODE wherever a node is named.
create table compute.cluster (
  name text primary key check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(name) <= 32),
  -- What it is called to people: a town, a region.
  location text not null default '',
  -- Nothing new comes; what is there stays.
  paused boolean not null default false,
  -- Its address, storages, bridge and addresses.
  terms jsonb,
  -- Its token and its console's password, as JSON.
  secrets_sealed bytea,
  -- Since when it does not answer, what was met last, and when; null: it answers.
  silent_since timestamptz,
  trouble text,
  tried_at timestamptz,
  created_at timestamptz not null,
  check ((terms is null) = (name = 'main') and (secrets_sealed is null) = (name = 'main'))
);
insert into compute.cluster (name, created_at) values ('main', now());

alter table compute.node add column cluster text generated always as
  (case when position('/' in name) > 0 then split_part(name, '/', 1) else 'main' end) stored;
alter table compute.placement add column cluster text generated always as
  (case when position('/' in node) > 0 then split_part(node, '/', 1) else 'main' end) stored;
