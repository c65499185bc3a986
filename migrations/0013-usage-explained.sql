-- Where a plan's bytes went: the ledger read by plan and time, and which API key made a batch of lines.
create index usage_entry_of_plan on residential.usage_entry (plan_id, at);
-- Null: made in the dashboard, or before this was kept.
alter table residential.proxy_batch add column api_key_id text;
create index proxy_batch_by_age on residential.proxy_batch (plan_id, created_at desc, id desc);
