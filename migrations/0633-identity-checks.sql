-- Levels of identity that an outside vendor decides: when it decided, so that of several words the latest one holds however they arrive, and until when it holds.
alter table accounts.identity_level
  -- An older program that still runs writes levels without it.
  add column decided_at timestamptz not null default now(),
  add column expires_at timestamptz;
update accounts.identity_level set decided_at = set_at;
