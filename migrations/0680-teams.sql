-- Teams: other people who act in an account, each by a sign-in of their own. Whoever the account belongs to is no member: nothing can take it from them.
create table accounts.team_member (
  id text primary key,
  account_id text not null references accounts.account,
  -- The member's own account.
  person_id text not null references accounts.account,
  role text not null check (role in ('OWNER', 'BILLING', 'DEVELOPER', 'VIEWER')),
  -- Ids of plans, proxy users and servers, which other rooms know. Null: all of the account.
  things text[],
  since timestamptz not null,
  unique (account_id, person_id),
  check (account_id <> person_id)
);
create index team_member_person on accounts.team_member (person_id);

-- An invitation ends when it is used, taken back or over.
create table accounts.team_invitation (
  id text primary key,
  account_id text not null references accounts.account,
  -- Only an account with this address may use it.
  email text not null,
  role text not null check (role in ('OWNER', 'BILLING', 'DEVELOPER', 'VIEWER')),
  things text[],
  token_hash text not null unique,
  -- The account of the person who has invited.
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (account_id, email)
);
create index team_invitation_expires on accounts.team_invitation (expires_at);

-- The account that a session acts in at present. Null: the person's own.
alter table accounts.session add column team_id text;

-- How members call the account. Null: by its address.
alter table accounts.account add column team_name text check (length(team_name) <= 60);
