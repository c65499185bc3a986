-- Tax as a capability: VAT ids with the answers of their register, what an order was taxed by with the evidence of where its buyer is, and invoices whose recipient owes
-- the tax.
create table accounts.vat_id_check (
  id text primary key,
  account_id text not null references accounts.account,
  vat_id text not null,
  valid boolean not null,
  consultation_number text,
  name text,
  address text,
  checked_at timestamptz not null
);
create index vat_id_check_account on accounts.vat_id_check (account_id, checked_at);
create trigger vat_id_check_append_only before update or delete or truncate on accounts.vat_id_check
  for each statement execute function platform.refuse();

create table accounts.account_vat_id (
  account_id text primary key references accounts.account,
  vat_id text not null,
  state text not null check (state in ('UNCHECKED', 'VALID', 'INVALID')),
  check_id text references accounts.vat_id_check,
  next_check_at timestamptz not null,
  tries int not null default 0,
  check ((state = 'UNCHECKED') = (check_id is null))
);
-- Ids that were given before: checked as any other, where tax is sold. Greece's are called EL.
insert into accounts.account_vat_id (account_id, vat_id, state, next_check_at)
  select account_id, case when given like prefix || '%' then given else prefix || given end, 'UNCHECKED', now()
  from (select account_id, case country when 'GR' then 'EL' else country end as prefix, upper(regexp_replace(tax_id, '[ ./-]', '', 'g')) as given
        from accounts.billing_details
        where tax_id is not null and country in ('AT','BE','BG','CY','CZ','DE','DK','EE','ES','FI','FR','GR','HR','HU','IE','IT','LT','LU','LV','MT','NL','PL','PT',
          'RO','SE','SI','SK')) as known;
create index account_vat_id_due on accounts.account_vat_id (next_check_at);

-- The buyer owes the tax: sellers price without.
alter table residential.account_country add column reverse_charge boolean not null default false;
alter table static.account_country add column reverse_charge boolean not null default false;
alter table compute.account_country add column reverse_charge boolean not null default false;

alter table accounts.invoice
  add column reverse_charge boolean not null default false,
  add constraint invoice_reverse_charge check (not reverse_charge or tax_minor = 0) not valid;
alter table accounts.invoice validate constraint invoice_reverse_charge;

-- Of an order that was sold with tax: by whose word it was taxed so. Kept for ten years, whatever becomes of the account.
create table accounts.order_tax (
  order_id text primary key references accounts.customer_order,
  buyer jsonb not null,
  country text not null,
  reverse_charge boolean not null,
  vat_id_check_id text references accounts.vat_id_check,
  noted_at timestamptz not null,
  check (not reverse_charge or vat_id_check_id is not null)
);
-- Where its buyer is, by independent pieces (Implementing Regulation (EU) 282/2011, article 24f).
create table accounts.tax_evidence (
  order_id text not null references accounts.customer_order,
  kind text not null check (kind in ('BILLING', 'CLIENT', 'MEANS')),
  country text check (country ~ '^[A-Z]{2}$'),
  detail text,
  noted_at timestamptz not null,
  primary key (order_id, kind)
);
create index tax_evidence_noted on accounts.tax_evidence (noted_at);
