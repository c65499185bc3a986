-- What is given back corrects an invoice: never more than is left of it, with its tax, in its currency. And nobody reclaims tax that was not paid.
create function accounts.check_left() returns trigger language plpgsql as $$
declare corrected accounts.invoice; given record;
begin
  -- Whoever else corrects the same invoice waits here, and counts this note.
  select * into corrected from accounts.invoice where id = new.corrects_id for no key update;
  if corrected.kind <> 'INVOICE' or corrected.account_id <> new.account_id or corrected.currency <> new.currency
    or corrected.tax_basis_points <> new.tax_basis_points then
    raise exception 'credit note % % does not fit the invoice that it corrects', new.series, new.number using errcode = 'check_violation';
  end if;
  select coalesce(sum(subtotal_minor), 0) as subtotal, coalesce(sum(tax_minor), 0) as tax into given
    from accounts.invoice where corrects_id = new.corrects_id;
  if new.subtotal_minor < 0 or new.tax_minor < 0 or given.subtotal + new.subtotal_minor > corrected.subtotal_minor
    or given.tax + new.tax_minor > corrected.tax_minor then
    raise exception 'credit note % % gives back more than is left of its invoice', new.series, new.number using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger credit_note_within_left before insert on accounts.invoice
  for each row when (new.kind = 'CREDIT_NOTE') execute function accounts.check_left();

-- The tax that an account has paid and not been given back. Only the trigger below writes it. `floor_minor` is 0 but where more was given back than paid before
-- the database refused that: such an account goes no further down, and what it pays from then on can be given back.
create table accounts.tax_balance (
  account_id text not null references accounts.account,
  currency text not null,
  amount_minor bigint not null,
  floor_minor bigint not null default 0 check (floor_minor <= 0),
  primary key (account_id, currency),
  constraint tax_balance_not_reclaimed check (amount_minor >= floor_minor)
);
insert into accounts.tax_balance (account_id, currency, amount_minor, floor_minor)
  select journal.account_id, currency, -sum(amount_minor), least(0, -sum(amount_minor))
  from accounts.ledger_entry join accounts.journal on journal.id = journal_id
  where ledger = 'TAX' and journal.account_id is not null group by journal.account_id, currency;

create function accounts.carry_tax() returns trigger language plpgsql security definer set search_path = accounts, pg_temp as $$
declare whose text;
begin
  select account_id into whose from journal where id = new.journal_id;
  if whose is null then return null; end if;
  insert into tax_balance (account_id, currency, amount_minor) values (whose, new.currency, 0) on conflict do nothing;
  update tax_balance set amount_minor = amount_minor - new.amount_minor where account_id = whose and currency = new.currency;
  return null;
end $$;
-- At the end of the transaction, so that its lock comes last and nobody waits for two of them crosswise.
create constraint trigger ledger_entry_carries_tax after insert on accounts.ledger_entry
  deferrable initially deferred for each row when (new.ledger = 'TAX') execute function accounts.carry_tax();
revoke insert, update, delete on accounts.tax_balance from egress_accounts;
