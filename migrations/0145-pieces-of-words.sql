-- Support finds accounts by any part of their address: by its pieces of three letters, which can be indexed without an extension.
create function accounts.pieces(word text) returns text[] language sql immutable strict parallel safe
  return array(select distinct substr(lower(word), start, 3) from generate_series(1, length(word) - 2) as start);
