-- Positions in the event log are transaction ids of the cluster plus a base. In another cluster (a dump restored, a move to another server) ids begin low: new events
-- would stand before what was read already, and wait there for years. The base is raised then, so that everything new comes after everything old.
create table platform.event_base (
  only_row boolean primary key default true check (only_row),
  base bigint not null default 0
);
insert into platform.event_base default values;
grant select on platform.event_base to egress_accounts, egress_residential, egress_static, egress_compute;

-- Where an event of this transaction stands.
create function platform.event_now() returns xid8 language sql volatile as $$
  select (pg_current_xact_id()::text::bigint + base)::text::xid8 from platform.event_base
$$;

-- Before it no event can appear any more: the oldest transaction still open.
create function platform.event_horizon() returns xid8 language sql stable as $$
  select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + base)::text::xid8 from platform.event_base
$$;

alter table platform.event alter column tx set default platform.event_now();

-- Raises the base when positions are stored that this cluster has not come to; says whether. The id of this transaction is taken after they were read, so it is above
-- every one that this cluster has given.
create function platform.follow_cluster() returns boolean language plpgsql as $$
declare last xid8;
begin
  last := greatest(
    (select tx from platform.event order by tx desc, id desc limit 1),
    (select tx from platform.cursor order by tx desc limit 1)
  );
  if last is null or last < platform.event_now() then
    return false;
  end if;
  update platform.event_base set base = last::text::bigint;
  return true;
end $$;
