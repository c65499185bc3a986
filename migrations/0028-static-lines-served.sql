-- Proxy nodes hear within the second when the lines of a static plan change: its addresses, its password, who may use it, whether it goes on.
create function static.announce_plan_lines() returns trigger language plpgsql as $$
begin
  perform pg_notify('egress_static_lines', new.id);
  return null;
end $$;
-- Whatever changes of a plan: nodes look for themselves what of it concerns them.
create trigger plan_lines_announced after update on static.plan for each row when (old is distinct from new) execute function static.announce_plan_lines();

create function static.announce_address_holders() returns trigger language plpgsql as $$
begin
  if old.plan_id is not null then perform pg_notify('egress_static_lines', old.plan_id); end if;
  if new.plan_id is not null then perform pg_notify('egress_static_lines', new.plan_id); end if;
  return null;
end $$;
create trigger address_holders_announced after update on static.address for each row
  when (old.plan_id is distinct from new.plan_id or old.port is distinct from new.port)
  execute function static.announce_address_holders();
