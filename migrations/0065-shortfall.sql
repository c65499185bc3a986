-- What a bank keeps of a transfer may be let go, and stands in a ledger of its own. Ledgers that other migrations have added stay allowed.
do $$
declare allowed text;
begin
  select replace(pg_get_constraintdef(oid), '''GOODWILL''::text', '''GOODWILL''::text, ''SHORTFALL''::text') into strict allowed
    from pg_constraint where conname = 'ledger_entry_ledger_check' and conrelid = 'accounts.ledger_entry'::regclass;
  execute 'alter table accounts.ledger_entry drop constraint ledger_entry_ledger_check';
  -- Rows that stand keep to it already: they are checked without holding up who writes.
  execute 'alter table accounts.ledger_entry add constraint ledger_entry_ledger_check ' || allowed || ' not valid';
end $$;
alter table accounts.ledger_entry validate constraint ledger_entry_ledger_check;
