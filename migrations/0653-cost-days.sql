-- The days of which a seller has counted what its products cost, so that nights which it missed are caught up with. Each seller has its own.
create table residential.cost_day (
  day date primary key,
  -- Null: not yet.
  counted_at timestamptz,
  -- On how many nights.
  times integer not null default 0 check (times >= 0),
  check ((counted_at is null) = (times = 0))
);
create table static.cost_day (like residential.cost_day including all);
create table compute.cost_day (like residential.cost_day including all);

-- What accounts was told. Use that came late was counted again on the two nights after.
insert into residential.cost_day select day, counted_at, greatest(1, least(3, (now() at time zone 'UTC')::date - day))
  from accounts.cost_day where seller = 'residential';
insert into static.cost_day select day, counted_at, greatest(1, least(3, (now() at time zone 'UTC')::date - day))
  from accounts.cost_day where seller = 'static';
insert into compute.cost_day select day, counted_at, 1 from accounts.cost_day where seller = 'compute';

-- A seller that has counted nothing yet begins with this day.
insert into residential.cost_day (day) select (now() at time zone 'UTC')::date where not exists (select from residential.cost_day);
insert into static.cost_day (day) select (now() at time zone 'UTC')::date where not exists (select from static.cost_day);
insert into compute.cost_day (day) select (now() at time zone 'UTC')::date where not exists (select from compute.cost_day);
