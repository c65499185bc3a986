-- What each product has cost its operator, by UTC day, as its seller has counted it. No line of the books: it is set against what was invoiced, for the margin.
create table accounts.product_cost (
  seller text not null,
  product text not null,
  day date not null,
  unit text not null check (unit in ('BYTES', 'ADDRESS_SECONDS', 'SERVER_SECONDS')),
  units numeric not null check (units >= 0),
  -- Millionths of a minor unit.
  cost_micros numeric not null check (cost_micros >= 0),
  primary key (seller, day, product)
);
-- The days that sellers have counted, also those on which nothing was sold.
create table accounts.cost_day (
  seller text not null,
  day date not null,
  counted_at timestamptz not null,
  primary key (seller, day)
);
