-- Log-in by address: who comes from one of these networks uses the plan without a password, from where the entry says. A network is one plan's alone, or nobody
-- would know whose traffic it is; of several that hold an address the most specific is meant.
create table residential.client_network (
  id text primary key,
  plan_id text not null references residential.plan on delete cascade,
  account_id text not null,
  network cidr not null unique,
  -- What follows the plan's username in a line: where it leaves from, and its session.
  line text not null default '',
  note text not null default '',
  created_at timestamptz not null,
  used_at timestamptz
);
create index client_network_of_plan on residential.client_network (plan_id, created_at);

-- The plan's own lines need their password and one of its networks; nobody logs in by the address alone. The default is a constant: no row is written.
alter table residential.plan add column networks_and_password boolean not null default false;
create trigger plan_log_in_announced after update on residential.plan for each row
  when (old.networks_and_password is distinct from new.networks_and_password)
  execute function residential.announce_plan_change();
