-- Public keys that an owner keeps for servers to come: pasting the same line at each purchase is how a wrong one gets in. A server has its own copy, so that taking a
-- key away here changes no server.
create table compute.ssh_key (
  id text primary key,
  account_id text not null,
  name text not null check (char_length(name) between 1 and 64),
  -- As it stands in authorized_keys.
  line text not null,
  -- SHA256:..., as ssh-keygen -l prints it.
  sha256 text not null,
  created_at timestamptz not null,
  unique (account_id, sha256)
);
