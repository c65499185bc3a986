-- Fingerprints of proxy passwords from before resets: a line that fails can be told to be old rather than wrong.
create table residential.old_password (
  plan_id text not null references residential.plan,
  fingerprint bytea not null,
  replaced_at timestamptz not null,
  primary key (plan_id, fingerprint)
);
