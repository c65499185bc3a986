-- How an account wants the hosts to be kept that its lines reach, where it is to be more private than the operator keeps them (USAGE_HOSTS). Metering reads it with
-- the plans that it locks. It stays when the account is closed: what networks report late is kept as was chosen.
create table residential.host_choice (
  account_id text primary key,
  hosts_kept text not null check (hosts_kept in ('plain', 'hashed', 'off')),
  chosen_at timestamptz not null
);
