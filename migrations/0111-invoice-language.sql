-- An invoice is drawn in the language of its account when it was issued: what is issued does not change with the account. Those from before are English.
alter table accounts.invoice add column language text not null default 'en';
alter table accounts.invoice add constraint invoice_language check (language in ('en', 'de')) not valid;
alter table accounts.invoice validate constraint invoice_language;
