-- The request log: what a plan's lines were used for, request by request, where its owner has chosen to keep that. It stands apart from the ledger: nothing counts
-- by it, no row of a plan is locked for it, and it goes after seven days, or whenever its owner says so. Receivers lock the row of the choice, so that what is
-- written of one plan follows one after another, and nothing from before a deletion comes after it.
create table residential.request_log_choice (
  plan_id text primary key references residential.plan on delete cascade,
  mode text not null check (mode in ('OFF', 'SAMPLED', 'WHOLE')),
  -- What was over before is not written down: when the log was switched on, or deleted last.
  since timestamptz not null
);

create table residential.request_log (
  plan_id text not null references residential.request_log_choice on delete cascade,
  seq bigint generated always as identity,
  -- When the request was over, to the millisecond.
  at timestamptz not null,
  -- Null: the plan's own lines.
  user_id text,
  session text,
  -- Empty, and port 0: it ended before it named a target, or it was an association for datagrams.
  host text not null,
  port integer not null,
  -- What the customer was answered; null: it left before.
  status smallint,
  up_bytes bigint not null,
  down_bytes bigint not null,
  duration_ms bigint not null,
  country text not null,
  state text,
  city text,
  -- A code of the catalogue.
  error text,
  primary key (plan_id, at, seq)
);

-- How much of an hour of UTC is kept and is not: by it the log of a plan is bounded, and gaps are told.
create table residential.request_log_hour (
  plan_id text not null references residential.request_log_choice on delete cascade,
  hour timestamptz not null,
  entries integer not null default 0,
  missed integer not null default 0,
  primary key (plan_id, hour)
) with (fillfactor = 80);
create index request_log_hour_by_hour on residential.request_log_hour (hour);

-- Batches of nodes that are written down: a batch that is sent again counts once.
create table residential.request_log_batch (
  edge_id text not null,
  id text not null,
  at timestamptz not null,
  primary key (edge_id, id)
);
create index request_log_batch_by_time on residential.request_log_batch (at);
