-- Programs that an account has let in by OAuth: assistants that reach /mcp without being handed a key. One table for all that the authorization server keeps:
-- registered clients, sign-ins under way, grants, codes and tokens. Ids are hashes, so that a dump of the table opens nothing.
create table accounts.oauth_record (
  -- SHA-256 of the kind and of the id or token that the server goes by.
  id text primary key,
  kind text not null,
  -- JSON, in which the record's own id is left out.
  payload text not null,
  -- The grant that a code or a token belongs to; its own id for a grant.
  grant_id text references accounts.oauth_record on delete cascade,
  -- SHA-256 of a second id by which a sign-in under way is found.
  uid text,
  -- Of a grant that its owner has agreed to: whose it is, and the key that it never exceeds.
  account_id text references accounts.account,
  key_id text references accounts.api_key,
  scopes text[],
  -- What the owner was shown: the client's name for itself, and the host that it returns to.
  app_name text,
  app_host text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  check ((account_id is null) = (key_id is null))
);
create index oauth_record_grant on accounts.oauth_record (grant_id);
create index oauth_record_uid on accounts.oauth_record (uid) where uid is not null;
create index oauth_record_account on accounts.oauth_record (account_id) where account_id is not null;
create index oauth_record_expiry on accounts.oauth_record (expires_at);
