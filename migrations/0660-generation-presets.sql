-- Choices of the form for generation that an owner keeps under a name, for all plans of the account. Deleted when the account is closed.
create table residential.generation_preset (
  account_id text not null,
  name text not null check (length(name) between 1 and 60),
  -- As in residential.proxy_batch.
  input jsonb not null,
  quantity int not null check (quantity > 0),
  format text not null check (format in ('HOST_FIRST', 'CREDENTIALS_FIRST', 'URL')),
  saved_at timestamptz not null,
  primary key (account_id, name)
);
