-- Terms, privacy policy and imprint as the operator publishes them, each version kept for ever, and who has agreed to which.
create table accounts.legal_text (
  id text primary key,
  kind text not null,
  version integer not null check (version > 0),
  -- In the languages of the pages; where one is missing, English stands for it.
  said jsonb not null,
  note text not null,
  valid_from timestamptz not null,
  published_at timestamptz not null,
  published_by text not null references accounts.account,
  unique (kind, version)
);
revoke update, delete on accounts.legal_text from egress_accounts;

create table accounts.consent (
  account_id text not null references accounts.account,
  kind text not null,
  version integer not null,
  given_at timestamptz not null,
  address text not null,
  primary key (account_id, kind, version),
  foreign key (kind, version) references accounts.legal_text (kind, version)
);
revoke update, delete on accounts.consent from egress_accounts;

-- What was agreed to with a sign-up, until there is an account.
alter table accounts.sign_up add column accepted jsonb;
