-- Customers are told of what happens to what they have bought: end points of their own, what is to be sent to them in its order, and each attempt.
create table accounts.webhook_endpoint (
  id text primary key,
  account_id text not null references accounts.account,
  url text not null,
  description text not null,
  -- Empty: all of them, also those of later releases.
  event_types text[] not null,
  secret_sealed bytea not null,
  -- The one before it signs as well until then.
  previous_secret_sealed bytea,
  previous_until timestamptz,
  created_at timestamptz not null,
  disabled_at timestamptz,
  disabled_because text check (disabled_because in ('OWNER', 'FAILING', 'GONE')),
  -- Everything up to here was delivered to it, or passed over.
  position bigint not null,
  -- Attempts in a row that failed, since when, and when the next one is due.
  failures integer not null default 0,
  failing_since timestamptz,
  next_try_at timestamptz,
  -- Who delivers to it now, and until when nobody else does.
  claim text,
  claimed_until timestamptz,
  check ((disabled_at is null) = (disabled_because is null)),
  check ((previous_secret_sealed is null) = (previous_until is null))
);
create index webhook_endpoint_account on accounts.webhook_endpoint (account_id);

create table accounts.webhook_event (
  -- The order of what an account is told: one reader of the log writes them, one after the other.
  position bigint generated always as identity primary key,
  id text not null unique,
  account_id text not null references accounts.account,
  -- Of a test: for this end point alone, and in no order.
  endpoint_id text references accounts.webhook_endpoint on delete cascade,
  type text not null,
  at timestamptz not null,
  subject text not null,
  -- The very text that is signed and sent.
  body text not null
);
create index webhook_event_account on accounts.webhook_event (account_id, position);
create index webhook_event_at on accounts.webhook_event (at);

create table accounts.webhook_attempt (
  id text primary key,
  endpoint_id text not null references accounts.webhook_endpoint on delete cascade,
  event_id text not null references accounts.webhook_event (id) on delete cascade,
  at timestamptz not null,
  -- The owner's are beside the order: a test, or a second time.
  asked_by text not null check (asked_by in ('PLATFORM', 'OWNER')),
  outcome text not null check (outcome in ('DELIVERED', 'REFUSED', 'NO_ANSWER', 'FORBIDDEN')),
  status integer,
  duration_ms integer not null,
  -- The beginning of what was answered, or what went wrong.
  said text not null
);
create index webhook_attempt_endpoint on accounts.webhook_attempt (endpoint_id, id);
create index webhook_attempt_event on accounts.webhook_attempt (event_id);
create index webhook_attempt_at on accounts.webhook_attempt (at);
