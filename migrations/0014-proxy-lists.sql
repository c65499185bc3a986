-- An address from which tools read a batch's lines again and again: whoever has it gets them, so only its hash is kept and it can be taken back.
alter table residential.proxy_batch add column address_hash text unique, add column address_made_at timestamptz;
