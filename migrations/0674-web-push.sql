-- Browsers that show notifications of an account, by web push (RFC 8030): each is one subscription of one browser, and what waits to be sent to it.
create table accounts.push_device (
  id text primary key,
  account_id text not null references accounts.account,
  -- The session in which it was switched on: the browser is forgotten when somebody ends that. Sessions that expire leave it.
  session_id text not null,
  -- SHA-256 of its address, which is a capability: a subscription is known once, whoever is signed in.
  endpoint_digest text not null unique,
  -- Address and keys, as JSON.
  sealed bytea not null,
  -- Browser and system, as the User-Agent said.
  name text not null,
  created_at timestamptz not null,
  -- When its push service last took a message.
  last_delivered_at timestamptz,
  -- When its push service last refused one for good, and in which words; null again after the next one that it takes.
  refused_at timestamptz,
  refusal text,
  check ((refused_at is null) = (refusal is null))
);
create index push_device_account on accounts.push_device (account_id);
create index push_device_refused on accounts.push_device (id) where refused_at is not null;

create table accounts.push_message (
  id text primary key,
  -- No foreign key: what is told in a transaction about money waits for nobody who removes a browser.
  device_id text not null,
  kind text not null,
  -- A newer message with the same topic replaces this one.
  topic text not null,
  sealed bytea not null,
  created_at timestamptz not null,
  -- From then on it is not sent any more.
  expires_at timestamptz not null,
  failures integer not null default 0,
  -- When it is sent; whoever sends it moves this ahead, so that nobody else does meanwhile.
  next_try_at timestamptz not null
);
create index push_message_due on accounts.push_message (next_try_at);
create index push_message_topic on accounts.push_message (device_id, topic);

-- The key pair by which push services know the platform (RFC 8292), made once: browsers subscribe to its public half, so another pair would end all subscriptions.
create table accounts.push_key (
  id text primary key check (id = 'vapid'),
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamptz not null
);
