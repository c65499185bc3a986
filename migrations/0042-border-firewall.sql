-- Firewall rules of dedicated servers are kept by the router in front of them: one numbered rule of it leads what goes to an address to the rules of its server.
create sequence compute.border_rule as integer start 100000 minvalue 100000 maxvalue 999999;
-- The number of an address's rule, its own for ever; drawn when it first needs one.
alter table compute.address add column border_rule integer unique;
-- The address that the router guards, remembered until the rules of a server that has ended are gone. Null: a VPS, whose rules are at its machine.
alter table compute.firewall add column ip inet references compute.address;
