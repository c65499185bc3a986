-- An event whose reaction fails is set aside for its reader, with whatever stands behind it, and driven again by itself: everybody else goes on. Each row is the
-- whole event, so that driving it again depends on nothing else.
create table platform.dead_letter (
  -- The order in which a reader set them aside, which is the order in which it met them.
  position bigint generated always as identity primary key,
  reader text not null,
  event_tx xid8 not null,
  event_id bigint not null,
  type text not null,
  at timestamptz not null,
  account_id text,
  subject text not null,
  data jsonb not null,
  -- What it is about. A later event that shares one of these waits behind it.
  keys text[] not null check (cardinality(keys) > 0),
  set_aside_at timestamptz not null,
  -- How often it failed by itself; 0: it waits for its turn, or behind another one.
  attempts int not null default 0,
  error text,
  failed_at timestamptz,
  -- Null: it waits behind another one, whose removal makes it due.
  next_try_at timestamptz,
  unique (reader, event_tx, event_id)
);
create index dead_letter_due on platform.dead_letter (reader, next_try_at);
create index dead_letter_keys on platform.dead_letter using gin (keys);

grant select, insert, update, delete on platform.dead_letter to egress_accounts, egress_residential, egress_static, egress_compute;
