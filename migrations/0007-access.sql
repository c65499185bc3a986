-- Every further way in, what protects it, and who did what: second factors, chat log-in, recovery, scoped keys, activity. Secrets are hashed or sealed.
alter table accounts.account add column closed_at timestamptz;

-- Whether this log-in has passed a second factor, and the device by which a new one is told from a known one.
alter table accounts.session add column strong_at timestamptz;

-- A log-in that still owes its second factor, and a passkey ceremony under way.
create table accounts.sign_in_challenge (
  id text primary key,
  token_hash text not null unique,
  purpose text not null check (purpose in ('SECOND_FACTOR', 'PASSKEY_SIGN_IN', 'PASSKEY_REGISTRATION')),
  account_id text references accounts.account,
  webauthn_challenge text,
  attempts int not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_challenge_expires on accounts.sign_in_challenge (expires_at);

create table accounts.recovery (
  id text primary key,
  account_id text not null references accounts.account,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index recovery_account on accounts.recovery (account_id) where used_at is null;

-- A change of address is confirmed at both; the first address of an account has no old one.
create table accounts.email_change (
  id text primary key,
  account_id text not null references accounts.account,
  email text not null,
  password_hash text,
  old_token_hash text unique,
  new_token_hash text not null unique,
  old_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz
);
create unique index email_change_open on accounts.email_change (account_id) where closed_at is null;

create table accounts.chat_identity (
  subject text primary key,
  account_id text not null unique references accounts.account,
  name text not null,
  linked_at timestamptz not null
);

-- One walk to the chat platform and back: state and browser are checked against it, and it is used once.
create table accounts.chat_attempt (
  state_hash text primary key,
  binding_hash text not null,
  verifier bytea not null,
  session_id text,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index chat_attempt_expires on accounts.chat_attempt (expires_at);

create table accounts.totp (
  account_id text primary key references accounts.account,
  secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The newest time step whose code was used: a code that was seen works no second time.
  last_step bigint not null default 0
);

create table accounts.recovery_code (
  account_id text not null references accounts.account,
  code_hash text not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

create table accounts.passkey (
  id text primary key,
  account_id text not null references accounts.account,
  credential_id text not null unique,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_account on accounts.passkey (account_id);

alter table accounts.api_key
  add column kind text not null default 'STANDARD' check (kind in ('STANDARD', 'PARTNER')),
  add column allowed_addresses text[] not null default '{}',
  -- Days before expiry of the last warning that was mailed.
  add column warned_days int;
create index api_key_expires on accounts.api_key (expires_at) where revoked_at is null and expires_at is not null;

create table accounts.api_key_day (
  key_id text not null references accounts.api_key on delete cascade,
  day date not null,
  requests bigint not null,
  primary key (key_id, day)
);

-- What an owner asks of support: a key, or a new one in the place of an old one.
create table accounts.key_request (
  id text primary key,
  account_id text not null references accounts.account,
  kind text not null check (kind in ('STANDARD', 'PARTNER')),
  scopes text[] not null,
  allowed_addresses text[] not null,
  replaces text references accounts.api_key,
  overlap_hours int not null check (overlap_hours between 0 and 24),
  note text not null,
  status text not null check (status in ('OPEN', 'ISSUED', 'DECLINED')),
  created_at timestamptz not null,
  closed_at timestamptz
);
create index key_request_account on accounts.key_request (account_id, id desc);
create index key_request_open on accounts.key_request (created_at) where status = 'OPEN';

-- Who did what on an account, when and from where. Append-only but for its end of life.
create table accounts.activity (
  id text primary key,
  account_id text not null,
  at timestamptz not null,
  type text not null,
  actor text not null check (actor in ('OWNER', 'SUPPORT', 'API_KEY', 'VISITOR', 'PLATFORM')),
  actor_id text,
  address text,
  user_agent text,
  subject text not null,
  data jsonb not null default '{}'
);
create index activity_account on accounts.activity (account_id, id desc);
create index activity_at on accounts.activity (at);
create trigger activity_unchangeable before update on accounts.activity for each statement execute function platform.refuse();
