-- The language that mails and documents of an account are written in, and that of a sign-up until it is one. Those from before read English.
alter table accounts.account add column language text not null default 'en';
alter table accounts.account add constraint account_language check (language in ('en', 'de')) not valid;
alter table accounts.account validate constraint account_language;
alter table accounts.sign_up add column language text not null default 'en';
alter table accounts.sign_up add constraint sign_up_language check (language in ('en', 'de')) not valid;
alter table accounts.sign_up validate constraint sign_up_language;
