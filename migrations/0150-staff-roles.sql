-- What each member of staff may do: one row for each role held. Whoever belongs to staff already has had every right, and keeps it as an owner.
create table accounts.staff_role (
  account_id text not null references accounts.account,
  role text not null check (role in ('SUPPORT', 'FINANCE', 'ABUSE', 'INFRASTRUCTURE', 'OWNER')),
  given_at timestamptz not null,
  -- Null: by this migration, or by the first appointment.
  given_by text references accounts.account,
  primary key (account_id, role)
);
insert into accounts.staff_role (account_id, role, given_at) select id, 'OWNER', now() from accounts.account where role = 'STAFF';
