-- Events get an order of their own, given after they are committed. Until now they stood by the transaction ids of their server: readers waited for whatever
-- transaction was open anywhere on it, another database's too, and a dump that was restored elsewhere brought ids along that meant nothing there.
-- Processes of the release before may run beside this one: they append as before, and what they append is numbered like the rest; their readers leave the work
-- to the new ones. The column `tx` and its functions are theirs, and go with the next release.

-- Nobody appends until what stands here is numbered.
lock table platform.event in share row exclusive mode;

create unique index event_id on platform.event (id);

-- Appended, perhaps committed, not numbered yet.
create table platform.event_pending (event_id bigint primary key);

-- The order in which events became visible. Numbers are given by one transaction at a time: below one that is seen none appears later. Gaps mean nothing.
create table platform.event_order (
  position bigint generated always as identity primary key,
  event_id bigint not null
);

insert into platform.event_order (event_id) select id from platform.event order by tx, id;

create function platform.await_number() returns trigger language plpgsql security definer set search_path = platform, pg_catalog as $$
begin
  insert into event_pending select id from appended;
  return null;
end $$;
create trigger event_awaits_number after insert on platform.event referencing new table as appended
  for each statement execute function platform.await_number();
-- Each appending transaction notified, and all that notify commit one after another.
drop trigger event_announced on platform.event;
drop function platform.announce_event();

-- Numbers what is committed, and wakes the readers once for all of it. Returns how many. Whoever returns from here finds numbered what was committed before the call.
create function platform.number_events() returns bigint language plpgsql security definer set search_path = platform, pg_catalog as $$
declare
  numbered bigint;
  total bigint := 0;
begin
  if not exists (select from event_pending) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtext('egress event order'));
  loop
    with taken as (
      delete from event_pending where event_id in (select event_id from event_pending order by event_id limit 10000) returning event_id
    )
    insert into event_order (event_id) select event_id from taken order by event_id;
    get diagnostics numbered = row_count;
    total := total + numbered;
    exit when numbered < 10000;
  end loop;
  if total > 0 then
    perform pg_notify('egress_event', '');
  end if;
  return total;
end $$;

alter table platform.cursor add column position bigint not null default 0;
alter table platform.cursor alter column tx set default '0', alter column id set default 0;
update platform.cursor set position = coalesce(
  (select max(event_order.position) from platform.event_order join platform.event on event.id = event_order.event_id
    where (event.tx, event.id) <= (cursor.tx, cursor.id)), 0);

create function platform.refuse_old_reader() returns trigger language plpgsql as $$
begin
  if new.position <= old.position then
    raise exception 'events are read by processes of the next release';
  end if;
  return new;
end $$;
create trigger cursor_of_new_readers before update on platform.cursor for each row execute function platform.refuse_old_reader();

alter table platform.dead_letter alter column event_tx set default '0';
create unique index dead_letter_event on platform.dead_letter (reader, event_id);

revoke all on function platform.await_number(), platform.number_events() from public;
grant execute on function platform.number_events() to egress_accounts, egress_residential, egress_static, egress_compute;
grant select on platform.event_pending, platform.event_order to egress_accounts, egress_residential, egress_static, egress_compute;
