-- What staff do with a server. A server that they have halted is off, whatever was paid; the reason is what its owner was told.
alter table compute.server
  add column halted_at timestamptz,
  add column halted_reason text check ((halted_reason is null) = (halted_at is null));

-- The node that a machine moves to.
alter table compute.operation add column target text;
