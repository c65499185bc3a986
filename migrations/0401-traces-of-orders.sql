-- The network that an order came from stands in its trace alone: also of those that wait. The column of the order, which earlier programs write, is dropped later.
alter table accounts.order_trace add column known boolean not null default false;
insert into accounts.order_trace (order_id, placed_from, placed_at)
  select id, placed_from, placed_at from accounts.customer_order where status = 'PENDING' and placed_from is not null
  on conflict do nothing;
