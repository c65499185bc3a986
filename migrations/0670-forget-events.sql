-- The log of events grew for ever. What every reader has read may leave it after the operator's term, by this one way: the table refuses every other change still.
create function platform.refuse_change_of_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('egress.forgets_events', true) = 'on' then
    return null;
  end if;
  raise exception 'event is append-only';
end $$;
create or replace trigger event_append_only before update or delete on platform.event
  for each statement execute function platform.refuse_change_of_event();

-- Deletes the first `most` events of the order as far as they are older and all readers have read them. Returns how many. An event set aside is a copy.
create function platform.forget_events(older_than timestamptz, most integer) returns integer
language plpgsql security definer set search_path = platform, pg_catalog as $$
declare forgotten integer;
begin
  perform set_config('egress.forgets_events', 'on', true);
  with first as (
    select position, event_id from event_order where position <= (select min(position) from cursor) order by position limit most
  ), gone as (
    delete from event using first where event.id = first.event_id and event.at < older_than returning first.position
  )
  delete from event_order using gone where event_order.position = gone.position;
  get diagnostics forgotten = row_count;
  perform set_config('egress.forgets_events', 'off', true);
  return forgotten;
end $$;

revoke all on function platform.forget_events(timestamptz, integer) from public;
grant execute on function platform.forget_events(timestamptz, integer) to egress_accounts;
