-- The status page: what each part of the platform was in each minute of the last days, as gateways measured it, and what staff say of incidents and maintenance.
-- A minute is one bit, so that it counts once however many gateways report it, and however often.
create table accounts.status_day (
  component text not null,
  on_day date not null,
  measured bit(1440) not null,
  degraded bit(1440) not null,
  down bit(1440) not null,
  primary key (component, on_day)
);

-- Texts are objects of language codes; English stands in each.
create table accounts.incident (
  id text primary key,
  kind text not null check (kind in ('INCIDENT', 'MAINTENANCE')),
  components text[] not null check (cardinality(components) > 0),
  impact text not null check (impact in ('OPERATIONAL', 'DEGRADED', 'DOWN')),
  title jsonb not null check (title ? 'en'),
  begins_at timestamptz not null,
  ends_at timestamptz check (ends_at > begins_at),
  resolved_at timestamptz,
  check (kind = 'INCIDENT' or ends_at is not null)
);
create index incident_open on accounts.incident (id) where resolved_at is null;
create index incident_begin on accounts.incident (begins_at);

create table accounts.incident_update (
  id text primary key,
  incident_id text not null references accounts.incident,
  step text not null check (step in ('SCHEDULED', 'INVESTIGATING', 'IDENTIFIED', 'IN_PROGRESS', 'MONITORING', 'RESOLVED')),
  said jsonb not null check (said ? 'en'),
  at timestamptz not null,
  by_account text not null
);
create index incident_update_incident on accounts.incident_update (incident_id, id);
