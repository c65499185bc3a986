-- A line with a password of before a change is told to be old rather than wrong; the latest first, hexadecimal, sealed as the present one is.
alter table static.plan add column old_passwords_sealed text[] not null default '{}';
