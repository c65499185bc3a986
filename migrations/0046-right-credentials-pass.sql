-- Failures are counted, right credentials are not: whoever fails waits longer each time (retry_at), and a try that comes too early is not one (passed).
alter table accounts.attempt
  add column retry_at timestamptz not null default '-infinity',
  add column passed boolean not null default true;

-- Browsers that have shown to be an account's: by a log-in, or by a link in its owner's mail. Whoever else tries does not count against them.
create table accounts.known_device (
  token_hash text not null,
  account_id text not null references accounts.account,
  -- The log-in that it was known by last; absent for a link that nobody has logged in with.
  session_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (token_hash, account_id)
);
create index known_device_account on accounts.known_device (account_id, created_at);
create index known_device_expiry on accounts.known_device (expires_at);

-- The network that a sign-up came from, as a hash: of several with one address, whose password it is that is tried.
alter table accounts.sign_up add column asked_from text;
