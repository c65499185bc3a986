-- The ground all subgraphs stand on: a schema and a role each, so that none can read another's tables, and the one event log that connects them.
do $$
declare subgraph text;
begin
  -- Roles belong to the whole cluster: several databases, and several starts at once, share them.
  perform pg_advisory_xact_lock(hashtext('egress roles'));
  foreach subgraph in array array['accounts', 'residential', 'static', 'compute'] loop
    if not exists (select from pg_roles where rolname = 'egress_' || subgraph) then
      execute format('create role %I nologin', 'egress_' || subgraph);
    end if;
    if not pg_has_role(current_user, 'egress_' || subgraph, 'member') then
      execute format('grant %I to current_user', 'egress_' || subgraph);
    end if;
    execute format('create schema %I', subgraph);
    execute format('grant usage on schema %I to %I', subgraph, 'egress_' || subgraph);
    execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to %I', subgraph, 'egress_' || subgraph);
    execute format('alter default privileges in schema %I grant usage on sequences to %I', subgraph, 'egress_' || subgraph);
    execute format('alter default privileges in schema %I grant execute on functions to %I', subgraph, 'egress_' || subgraph);
  end loop;
end $$;

create schema platform;
grant usage on schema platform to egress_accounts, egress_residential, egress_static, egress_compute;

-- Every fact, appended in the transaction that makes it true. Readers follow (tx, id) up to the oldest transaction still open,
-- since plain sequence numbers become visible out of order and a reader would skip some.
create table platform.event (
  tx xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  type text not null,
  at timestamptz not null,
  account_id text,
  subject text not null,
  data jsonb not null default '{}',
  primary key (tx, id)
);
create index event_subject on platform.event (subject, id);

create function platform.refuse() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger event_append_only before update or delete on platform.event for each statement execute function platform.refuse();

create function platform.announce_event() returns trigger language plpgsql as $$
begin
  perform pg_notify('egress_event', '');
  return null;
end $$;
create trigger event_announced after insert on platform.event for each statement execute function platform.announce_event();

-- How far each durable reader of the log has come.
create table platform.cursor (
  reader text primary key,
  tx xid8 not null,
  id bigint not null
);

grant select, insert on platform.event to egress_accounts, egress_residential, egress_static, egress_compute;
grant select, insert, update on platform.cursor to egress_accounts, egress_residential, egress_static, egress_compute;
