-- What a key may order in a calendar month, with tax: what support has granted at most, and where its owner has set the ceiling below that.
alter table accounts.api_key
  add column order_granted_minor bigint not null default 0 check (order_granted_minor >= 0),
  add column order_ceiling_minor bigint not null default 0,
  add constraint api_key_order_ceiling_check check (order_ceiling_minor between 0 and order_granted_minor);

-- The key that has placed an order; null: a person, or a setting.
alter table accounts.customer_order add column api_key_id text;
create index customer_order_by_key on accounts.customer_order (api_key_id, placed_at) where api_key_id is not null;
