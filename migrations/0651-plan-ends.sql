-- no transaction
-- Plans whose time comes: looked for each minute.
create index concurrently if not exists plan_ends on residential.plan (valid_until) where valid_until is not null and lapsed_bytes is null and not withdrawn;
