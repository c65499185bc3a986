-- Where the owner of a VPS has asked for it, by the name of the location; null: anywhere. The default is a constant: no row is written.
alter table compute.server add column location text;
