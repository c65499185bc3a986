-- The right to set up the second factor of a staff account: a link that another member of staff, or the command, hands over once. Whoever has the password alone has it not.
create table accounts.staff_enrolment (
  token_hash text primary key,
  account_id text not null references accounts.account,
  -- Who handed it out: an account, or absent for the platform itself.
  issued_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index staff_enrolment_account on accounts.staff_enrolment (account_id);

-- Until when the session that has followed such a link may set up a factor.
alter table accounts.session add column enrol_until timestamptz;

-- What each member of staff has given away on a day, in minor units: credit and refunds.
create table accounts.staff_gift (
  staff_id text not null,
  day date not null,
  currency text not null,
  amount_minor bigint not null,
  primary key (staff_id, day, currency)
);
