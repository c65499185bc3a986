-- Who may enter and who pays. Secrets are stored as hashes, mails sealed: a dump of these tables opens nothing.
create table accounts.account (
  id text primary key,
  email text,
  password_hash text,
  email_verified_at timestamptz,
  role text not null default 'CUSTOMER' check (role in ('CUSTOMER', 'STAFF')),
  api_allowed boolean not null default true,
  created_at timestamptz not null
);
create unique index account_email on accounts.account (lower(email));

-- A sign-up is not an account until its link is used: nobody can prepare an account under an address that is not theirs.
create table accounts.sign_up (
  id text primary key,
  email text not null,
  password_hash text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_up_email on accounts.sign_up (lower(email)) where used_at is null;
create index sign_up_expires on accounts.sign_up (expires_at) where used_at is null;

create table accounts.session (
  id text primary key,
  token_hash text not null unique,
  account_id text not null references accounts.account,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index session_account on accounts.session (account_id);
create index session_expires on accounts.session (expires_at);

create table accounts.api_key (
  id text primary key,
  account_id text not null references accounts.account,
  hash text not null unique,
  prefix text not null,
  last_four text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_used_address text
);
create index api_key_account on accounts.api_key (account_id);

create table accounts.customer_order (
  id text primary key,
  account_id text not null references accounts.account,
  offer_id text not null unique,
  idempotency_key text not null,
  status text not null check (status in ('PENDING', 'PAID', 'FULFILLED', 'CANCELLED', 'EXPIRED', 'REFUNDED')),
  method text not null,
  title text not null,
  lines jsonb not null,
  currency text not null,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null check (total_minor = subtotal_minor + tax_minor and total_minor >= 0),
  seller text not null,
  fulfil jsonb not null,
  checkout_id text unique,
  checkout_url text,
  placed_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  fulfilled_at timestamptz,
  resource_id text,
  unique (account_id, idempotency_key)
);
create index customer_order_account on accounts.customer_order (account_id, id desc);
create index customer_order_pending on accounts.customer_order (placed_at) where status = 'PENDING';

-- What the processor really took: once per payment.
create table accounts.payment (
  id text primary key,
  order_id text not null references accounts.customer_order,
  processor text not null,
  processor_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  paid_at timestamptz not null,
  unique (processor, processor_id)
);
create index payment_order on accounts.payment (order_id);

-- Notices of the outside, stored before they are acted on, each once.
create table accounts.inbox (
  source text not null,
  notice_id text not null,
  type text not null,
  object_id text not null,
  received_at timestamptz not null,
  processed_at timestamptz,
  primary key (source, notice_id)
);
create index inbox_waiting on accounts.inbox (received_at) where processed_at is null;

-- Mails to send; what they say is sealed and forgotten once sent.
create table accounts.mail (
  id text primary key,
  recipient text not null,
  kind text not null,
  sealed bytea,
  created_at timestamptz not null,
  sent_at timestamptz
);
create index mail_waiting on accounts.mail (created_at) where sent_at is null;

create table accounts.billing_subscription (
  id text primary key,
  account_id text not null references accounts.account,
  status text not null,
  current_period_end timestamptz not null,
  amount_minor bigint not null,
  currency text not null,
  interval text not null,
  interval_count int not null,
  cancel_at_period_end boolean not null default false
);
create index billing_subscription_account on accounts.billing_subscription (account_id);
