-- Which secrets have sealed what a subgraph keeps, by the ids of their keys, which say nothing of them: a start with another secret is refused.
create table platform.secret_check (
  subgraph text not null,
  key_id bytea not null,
  primary key (subgraph, key_id)
);
grant select, insert, delete on platform.secret_check to egress_accounts, egress_residential, egress_static, egress_compute;
