-- Offers hold no addresses any more; what orders hold says whose it is, so that unpaid ones are bounded.
update static.address set hold_id = null, held_until = null where hold_id in (
  select id from static.hold where order_id is null and not exists (select from static.replacement where replacement.id = hold.id));
delete from static.hold where order_id is null and not exists (select from static.replacement where replacement.id = hold.id);
drop index static.hold_of_account;
alter table static.hold
  -- Set once the order is paid; until then it counts against what its buyer may hold.
  add column paid boolean not null default false,
  -- Whether the account had a paid order before; null: not an order's.
  add column known boolean,
  add column placed_from text,
  add column method text;
update static.hold set paid = true where order_id in (select order_id from static.plan union select order_id from static.addition);
create unique index hold_of_order on static.hold (order_id) where order_id is not null;
create index hold_unpaid on static.hold (product_id) where order_id is not null and not paid;
