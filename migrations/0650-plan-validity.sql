-- A package may be bought for so many days. Null, as everything that was sold before: for ever.
alter table residential.plan add column valid_until timestamptz;
-- What was left when that time came, less what was used before and reported later: the sum of the rows below. Null: it has not come, or is not noted yet.
alter table residential.plan add column lapsed_bytes bigint check (lapsed_bytes >= 0);
-- Its owner was told that it ends within so many days. Null: not told.
alter table residential.plan add column told_valid_days smallint;

-- Bytes that were sold and not used in time, as they were noted: sold, less what was taken back, is used and lapsed together (`verify-usage`).
create table residential.lapse (
  id bigint generated always as identity primary key,
  plan_id text not null references residential.plan,
  -- Below zero: used before the end, and reported after it.
  bytes bigint not null check (bytes <> 0),
  at timestamptz not null
);
create index lapse_of_plan on residential.lapse (plan_id);
create trigger lapse_append_only before update or delete on residential.lapse for each statement execute function platform.refuse();
create trigger lapse_not_emptied before truncate on residential.lapse for each statement execute function platform.refuse();
