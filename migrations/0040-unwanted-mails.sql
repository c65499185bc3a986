-- Topics of mail that an account does not want. Mails of security and of money that is owed have no topic: they are always sent.
alter table accounts.account add column unwanted_topics text[] not null default '{}';
