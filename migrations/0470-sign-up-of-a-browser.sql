-- A link logs in by itself in the browser that has signed up, which holds a token of its own, and goes on to the page that the visitor was on the way to.
alter table accounts.sign_up
  -- The hash of the token in the cookie; null in rows from before.
  add column browser_hash text,
  -- A path of this site; null: the home page.
  add column next text;
create index sign_up_browser on accounts.sign_up (browser_hash) where used_at is null;
