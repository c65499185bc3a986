-- What is sold, at which prices and under which names, as rows with a validity: written once, never changed in place, so that each price that ever held can
-- be told. Each seller has its own. A price that has not begun can be withdrawn; that is written beside it once.
create table residential.catalogue_entry (
  id text primary key,
  -- Where it stands in a catalogue file, such as `residential.PREMIUM`, and the field there, such as `prices`.
  item text not null,
  field text not null,
  value jsonb not null,
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  set_at timestamptz not null,
  -- A member of staff's account, or what else has set it: `release`, `file`, `command`.
  set_by text not null,
  reason text not null,
  withdrawn_at timestamptz check (withdrawn_at < valid_from),
  withdrawn_by text,
  check ((withdrawn_at is null) = (withdrawn_by is null))
);
create index catalogue_entry_of_field on residential.catalogue_entry (item, field, valid_from);
-- One of each field, however many processes start at once.
create unique index catalogue_entry_of_release on residential.catalogue_entry (item, field) where set_by = 'release';
create table static.catalogue_entry (like residential.catalogue_entry including all);
create table compute.catalogue_entry (like residential.catalogue_entry including all);
revoke update, delete on residential.catalogue_entry from egress_residential;
revoke update, delete on static.catalogue_entry from egress_static;
revoke update, delete on compute.catalogue_entry from egress_compute;
grant update (withdrawn_at, withdrawn_by) on residential.catalogue_entry to egress_residential;
grant update (withdrawn_at, withdrawn_by) on static.catalogue_entry to egress_static;
grant update (withdrawn_at, withdrawn_by) on compute.catalogue_entry to egress_compute;

-- The catalogue files that were imported at a start: the same one is not imported again, so that what the desk sets stays.
create table residential.catalogue_import (id bigint generated always as identity primary key, digest text not null, imported_at timestamptz not null);
create table static.catalogue_import (like residential.catalogue_import including all);
create table compute.catalogue_import (like residential.catalogue_import including all);

-- By which prices a server was sold: what is bought in addition while it runs has those of that moment. Null: of the moment that it was made.
alter table compute.server add column priced_at timestamptz;
