-- An account that support has suspended: nobody enters it, and nothing that it has bought runs. Each seller keeps what accounts tells it, and marks
-- what it sells, so that proxy nodes hear of it as of any other change.
alter table accounts.account
  add column suspended_at timestamptz,
  -- As the customer reads it.
  add column suspension_reason text,
  add constraint account_suspension_explained check ((suspended_at is null) = (suspension_reason is null));

create table residential.suspended_account (account_id text primary key, since timestamptz not null);
create table static.suspended_account (account_id text primary key, since timestamptz not null);
create table compute.suspended_account (account_id text primary key, since timestamptz not null);

alter table residential.plan add column account_suspended boolean not null default false;
alter table static.plan add column account_suspended boolean not null default false;
alter table compute.server add column account_suspended boolean not null default false;

-- Nodes hear within the second; a static plan's own trigger tells of whatever changes.
create trigger plan_suspension_announced after update on residential.plan for each row
  when (old.account_suspended is distinct from new.account_suspended)
  execute function residential.announce_plan_change();
