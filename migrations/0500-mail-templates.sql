-- What an operator writes instead of the text of a kind of mail, in one language, each version kept for ever. Without a text: the program's own again.
create table accounts.mail_template (
  id text primary key,
  kind text not null,
  language text not null,
  version integer not null check (version > 0),
  subject text,
  body text,
  note text not null,
  published_at timestamptz not null,
  published_by text not null references accounts.account,
  unique (kind, language, version),
  check ((subject is null) = (body is null))
);
revoke update, delete on accounts.mail_template from egress_accounts;
