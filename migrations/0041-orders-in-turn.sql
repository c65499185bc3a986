-- When an order that waits for its payment was last compared with the processor: whoever was not for longest is next, however many wait.
alter table accounts.customer_order add column compared_at timestamptz;
create index customer_order_in_turn on accounts.customer_order (compared_at nulls first, placed_at) where status = 'PENDING';
