-- What controllers of dedicated servers measure, a row a minute for a week: they keep no history of their own that could be asked for.
create table compute.metal_use (
  server_id text not null references compute.server,
  at timestamptz not null,
  cpu real,
  memory real,
  disk real,
  -- Counters since the last start, as the controller tells them.
  received_bytes double precision,
  sent_bytes double precision,
  watts real,
  inlet_celsius real,
  primary key (server_id, at)
);
create index metal_use_old on compute.metal_use (at);
