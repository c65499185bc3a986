-- A package of which support has taken back all that was not used: it is over, and what nodes still hold of it flows at most.
alter table residential.plan add column withdrawn boolean not null default false;
create trigger plan_withdrawal_announced after update on residential.plan for each row
  when (old.withdrawn is distinct from new.withdrawn)
  execute function residential.announce_plan_change();
