-- What an owner calls a plan, to tell it from others of the same product: a table of its own, so that reports of use touch nothing of it, and so that the words
-- can go when the account is closed, while the books stay.
create table residential.plan_label (
  plan_id text primary key references residential.plan on delete cascade,
  name text not null check (length(name) <= 60),
  note text not null check (length(note) <= 500),
  -- Null: none.
  colour text check (colour in ('GREEN', 'BLUE', 'VIOLET', 'PINK', 'AMBER', 'GREY'))
);
