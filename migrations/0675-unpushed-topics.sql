-- The topics of which an account wants no push; of all others its browsers are told.
alter table accounts.account add column unpushed_topics text[] not null default '{}';
