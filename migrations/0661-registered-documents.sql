-- GraphQL documents that an account has registered: asked by their hash from then on, on every server and after every restart. Deleted when the account is closed.
create table accounts.registered_document (
  account_id text not null references accounts.account on delete cascade,
  -- Of the text, in hexadecimal digits.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Of its operation; empty: it has none.
  name text not null,
  text text not null check (length(text) <= 32768),
  registered_at timestamptz not null,
  primary key (account_id, sha256)
);

-- The key asks registered documents alone. The default is a constant: no row is written.
alter table accounts.api_key add column documents_only boolean not null default false;
