-- The ledger lies in weeks of the moments at which bytes flowed: entries beyond their retention leave as whole tables, and a span of time reads only its weeks.
-- What a report's lines were counted is kept once per report instead of in a key over every entry, which would have to lie across all weeks.
create table residential.usage_report (
  source text not null,
  report_id text not null,
  -- The lines that are entered: each counts once.
  lines int4multirange not null default '{}',
  -- When it last came.
  received_at timestamptz not null,
  primary key (source, report_id)
) with (fillfactor = 80);
create index usage_report_by_age on residential.usage_report (received_at);

alter table residential.usage_entry rename to usage_entry_whole;
drop trigger usage_entry_append_only on residential.usage_entry_whole;
drop trigger usage_entry_not_emptied on residential.usage_entry_whole;
drop index residential.usage_entry_of_plan;

-- `source` is a network or a proxy node, `report_id` its report or exchange, `line` a piece of it.
create table residential.usage_entry (
  source text not null,
  report_id text not null,
  line integer not null,
  plan_id text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  country text,
  session text,
  host text,
  client text
) partition by range (at);
create index usage_entry_of_plan on residential.usage_entry (plan_id, at);
create trigger usage_entry_append_only before update or delete on residential.usage_entry for each statement execute function platform.refuse();
create trigger usage_entry_not_emptied before truncate on residential.usage_entry for each statement execute function platform.refuse();

-- Runs as the owner of the tables: the subgraph's role may add a week, and nothing else. Others go on writing meanwhile.
create function residential.make_usage_week(moment timestamptz) returns void language plpgsql security definer set search_path = residential, pg_temp as $$
declare
  monday date := date_trunc('week', moment at time zone 'UTC')::date;
  name text := 'usage_entry_' || to_char(monday, 'YYYY_MM_DD');
begin
  if exists (select from pg_class where relname = name and relnamespace = 'residential'::regnamespace) then return; end if;
  perform pg_advisory_xact_lock(hashtext('egress usage weeks'));
  -- Read from the table: a look-up by name may still remember that there was none.
  if exists (select from pg_class where relname = name and relnamespace = 'residential'::regnamespace) then return; end if;
  execute format('create table residential.%I (like residential.usage_entry including all)', name);
  execute format('create trigger usage_entry_append_only before update or delete on residential.%I for each statement execute function platform.refuse()', name);
  execute format('create trigger usage_entry_not_emptied before truncate on residential.%I for each statement execute function platform.refuse()', name);
  execute format('alter table residential.usage_entry attach partition residential.%I for values from (%L) to (%L)',
    name, to_char(monday, 'YYYY-MM-DD') || ' 00:00+00', to_char(monday + 7, 'YYYY-MM-DD') || ' 00:00+00');
end $$;

-- Weeks of the ledger, by their Mondays.
create view residential.usage_week as
  select to_date(right(c.relname, 10), 'YYYY_MM_DD') as monday, c.relname::text as name
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'residential.usage_entry'::regclass;

-- Drops weeks that ended at `moment` or before, the oldest first. Waits a moment only for those who read: the next run does what was left.
create function residential.drop_usage_weeks(moment timestamptz) returns integer language plpgsql security definer set search_path = residential, pg_temp as $$
declare week record; dropped integer := 0;
begin
  set local lock_timeout = '3s';
  for week in select * from residential.usage_week where (monday + 7)::timestamp at time zone 'UTC' <= moment order by monday loop
    execute format('drop table residential.%I', week.name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select residential.make_usage_week(week) from (select distinct date_trunc('week', at at time zone 'UTC') at time zone 'UTC' as week from residential.usage_entry_whole) known;
insert into residential.usage_entry (source, report_id, line, plan_id, at, received_at, up_bytes, down_bytes, country, session, host, client)
  select source, report_id, line, plan_id, at, received_at, up_bytes, down_bytes, country, session, host, client from residential.usage_entry_whole;
-- Nodes count by their leases, so what they told needs no memory here.
insert into residential.usage_report (source, report_id, lines, received_at)
  select source, report_id, range_agg(int4range(line, line, '[]')), max(received_at) from residential.usage_entry_whole where source not like 'edge:%' group by source, report_id;
drop table residential.usage_entry_whole;
