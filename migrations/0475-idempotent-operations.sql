-- Which operation a request with an idempotency key began: the same request gets it again for a day. The row is written in the transaction that begins the
-- operation, so that there is never one without the other.
create table compute.idempotent_request (
  account_id text not null,
  key text not null,
  -- Of everything that determines the effect. Keyed, since a password that the owner chose may be among it.
  request_mac text not null,
  operation_id text not null references compute.operation on delete cascade,
  at timestamptz not null,
  primary key (account_id, key)
);
create index idempotent_request_by_time on compute.idempotent_request (at);
create index idempotent_request_by_operation on compute.idempotent_request (operation_id);
