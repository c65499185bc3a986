-- Log-in by address at static plans: who comes from one of these networks uses the addresses of the plan without a password. An address has its own port, so
-- that many plans may let the same network in; within a plan a network is let in once, at one address or at all of them.
create table static.client_network (
  id text primary key,
  plan_id text not null references static.plan on delete cascade,
  account_id text not null,
  -- The address of the plan that it may use; null: all of them.
  address_id text references static.address,
  network cidr not null,
  note text not null default '',
  created_at timestamptz not null,
  used_at timestamptz
);
create unique index client_network_once on static.client_network (plan_id, network, coalesce(address_id, ''));
create index client_network_of_address on static.client_network (address_id) where address_id is not null;

-- The plan's lines need their password and one of its networks; nobody logs in by the address alone. The default is a constant: no row is written.
alter table static.plan add column networks_and_password boolean not null default false;

create function static.announce_client_network() returns trigger language plpgsql as $$
begin
  perform pg_notify('egress_static_lines', coalesce(new.plan_id, old.plan_id));
  return null;
end $$;
create trigger client_network_announced after insert or delete on static.client_network for each row execute function static.announce_client_network();
create trigger client_network_moved_announced after update on static.client_network for each row
  when (old.address_id is distinct from new.address_id)
  execute function static.announce_client_network();
