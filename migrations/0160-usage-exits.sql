-- Who used an address at a time: by which exits the bytes of an entry left, as [[exit, address, up, down], ...]; the address null where nobody told it. Null as
-- a whole: not known, as of everything before. It lives and leaves with the entry, and nothing sums by it. A column without a default rewrites nothing.
alter table residential.usage_entry add column exits jsonb;
