-- How the owner of an account wants to see pages, on every device: a column each, as with the language, so that they are read with the account.
alter table accounts.account
  -- An IANA name. Null: that of the browser.
  add column time_zone text check (length(time_zone) <= 64),
  add column date_format text not null default 'LOCALE' check (date_format in ('LOCALE', 'ISO', 'DAY_MONTH_YEAR', 'MONTH_DAY_YEAR')),
  add column density text not null default 'COMFORTABLE' check (density in ('COMFORTABLE', 'COMPACT'));
