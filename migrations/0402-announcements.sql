-- What staff tell customers above every page of the dashboard, for a span of time, and who has put it away.
create table accounts.announcement (
  id text primary key,
  audience text not null check (audience in ('EVERYBODY', 'CUSTOMERS', 'RESIDENTIAL', 'STATIC', 'COMPUTE')),
  title jsonb not null check (title ? 'en'),
  text jsonb not null check (text ? 'en'),
  shows_from timestamptz not null,
  shows_until timestamptz not null check (shows_until > shows_from),
  ended_at timestamptz,
  published_by text not null,
  published_at timestamptz not null
);
create index announcement_shown on accounts.announcement (shows_until) where ended_at is null;

create table accounts.announcement_dismissal (
  announcement_id text not null references accounts.announcement,
  account_id text not null references accounts.account,
  dismissed_at timestamptz not null,
  primary key (account_id, announcement_id)
);
create index announcement_dismissal_of on accounts.announcement_dismissal (announcement_id);
