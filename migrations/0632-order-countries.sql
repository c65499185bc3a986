-- The country that an order's address belongs to, by the operator's table, for the rule on countries that differ. Goes with the trace. Null: not known.
alter table accounts.order_trace add column country text check (country ~ '^[A-Z]{2}$');
