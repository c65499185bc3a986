-- What was bought stands still while its payment is disputed: as under a suspended account, and by itself. The default is a constant: no row is written.
alter table residential.plan add column frozen boolean not null default false;
alter table static.plan add column frozen boolean not null default false;
alter table compute.server add column frozen boolean not null default false;
