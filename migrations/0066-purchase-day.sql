-- Who bought on the 29th, 30th or 31st has the day of purchase back: periods were counted from the end of the first one, which a short month had moved.
-- What is paid stays paid; the next renewal ends on the right day again, and the card processor is told by the next sweep.
update accounts.billing_subscription set anchor_at = started_at, synced_version = null
  where status <> 'CANCELED' and extract(day from started_at at time zone 'UTC') > 28 and anchor_at <> started_at;
