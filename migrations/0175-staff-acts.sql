-- What members of staff have done, in every subgraph, as each told it in the transaction that did it (`staff.acted`).
create table accounts.staff_act (
  id text primary key,
  at timestamptz not null,
  -- Of the member; events are taken as they come.
  account_id text not null,
  act text not null,
  permission text not null,
  given jsonb not null,
  -- The words of `given`, to look for.
  about text[] not null,
  address text not null,
  request_id text not null
);
create index staff_act_account on accounts.staff_act (account_id, id);
create index staff_act_at on accounts.staff_act (at);
create index staff_act_about on accounts.staff_act using gin (about);
