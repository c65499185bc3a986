-- A mail that the mail server refuses for good is not tried for ever: it waits for support, with the server's words.
alter table accounts.mail add column failed_at timestamptz, add column failure text;
alter table accounts.mail add constraint mail_failure check ((failed_at is null) = (failure is null));
drop index accounts.mail_waiting;
create index mail_waiting on accounts.mail (created_at) where sent_at is null and failed_at is null;
create index mail_failed on accounts.mail (failed_at) where failed_at is not null;
