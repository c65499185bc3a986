-- What support sees of proxy nodes, how it drains one, and sticky sessions that are the same on every node.
alter table residential.edge
  -- What the node said last about itself, and when.
  add column status jsonb,
  add column status_at timestamptz,
  -- Set while the node is to take no new connections.
  add column draining_since timestamptz;
-- Bytes by node and day, for support.
create index lease_of_edge on residential.lease (edge_id, day);

-- A sticky session begins with the first node that uses its number; the others follow.
create table residential.sticky_session (
  -- Plan, place and session number.
  key text primary key,
  exit_id text not null,
  -- How often the number was used up before.
  life integer not null,
  ends_at timestamptz not null
) with (fillfactor = 80);
create index sticky_session_end on residential.sticky_session (ends_at);
