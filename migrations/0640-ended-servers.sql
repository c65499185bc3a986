-- When a server ended: it is removed from then on, and has cost nothing since. Not known of those that ended before this column was there.
alter table compute.server add column ended_at timestamptz check (ended_at is null or status in ('REMOVED', 'DECOMMISSIONED'));
