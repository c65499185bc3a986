-- Offers hold no machines any more; what orders hold says whose it is, so that unpaid ones are bounded.
delete from compute.stock_hold where order_id is null;
drop index compute.stock_hold_of_account;
alter table compute.stock_hold
  alter column order_id set not null,
  add column paid boolean not null default false,
  add column known boolean not null default false,
  add column placed_from text,
  add column method text;
update compute.stock_hold set paid = true where order_id in (select order_id from compute.server);
