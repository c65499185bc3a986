-- Several processors keep means of an account to charge them: an account is a customer of each by itself.
alter table accounts.card_customer
  add column processor text not null default 'card',
  drop constraint card_customer_pkey,
  drop constraint card_customer_processor_id_key,
  add primary key (account_id, processor),
  add unique (processor, processor_id);
