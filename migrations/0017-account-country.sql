-- Sellers price with tax, which goes by the country of an account's billing details: each keeps what accounts tells it.
create table residential.account_country (account_id text primary key, country text not null, changed_at timestamptz not null);
create table static.account_country (account_id text primary key, country text not null, changed_at timestamptz not null);
create table compute.account_country (account_id text primary key, country text not null, changed_at timestamptz not null);
insert into residential.account_country select account_id, country, updated_at from accounts.billing_details;
insert into static.account_country select account_id, country, updated_at from accounts.billing_details;
insert into compute.account_country select account_id, country, updated_at from accounts.billing_details;
