-- A person has looked at where the buyer of an order is, and says why it is right although pieces of evidence name different countries.
alter table accounts.order_tax
  add column checked_at timestamptz,
  add column checked_by text references accounts.account,
  add column check_reason text;
