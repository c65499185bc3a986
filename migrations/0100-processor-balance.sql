-- What processors' own books say of our money there: every movement with its fee, what they pay out to our bank, and how far they were read.
create table accounts.processor_movement (
  id text primary key,
  processor text not null,
  processor_id text not null,
  kind text not null check (kind in (
    'PAYMENT', 'REFUND', 'REFUND_RETURNED', 'DISPUTE', 'DISPUTE_RETURNED', 'FEE', 'PAYOUT', 'PAYOUT_RETURNED', 'OTHER')),
  -- What it is about, as the processor calls it: a charge, a refund, a dispute, a payout.
  subject_id text,
  -- The payment that it belongs to, as `payment.processor_id` has it.
  payment_id text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Before the fee; below zero it left the processor's balance.
  amount_minor bigint not null,
  fee_minor bigint not null,
  words text not null,
  -- The payout that it is a line of.
  payout_id text,
  moved_at timestamptz not null,
  available_at timestamptz not null,
  read_at timestamptz not null,
  unique (processor, processor_id)
);
create index processor_movement_time on accounts.processor_movement (moved_at, id);
create index processor_movement_payment on accounts.processor_movement (processor, payment_id) where payment_id is not null;
create index processor_movement_subject on accounts.processor_movement (processor, subject_id) where subject_id is not null;
create index processor_movement_payout on accounts.processor_movement (processor, payout_id, moved_at, id) where payout_id is not null;

create table accounts.processor_payout (
  id text primary key,
  processor text not null,
  processor_id text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Below zero: our bank made up for a balance below zero.
  amount_minor bigint not null,
  status text not null check (status in ('IN_TRANSIT', 'PAID', 'FAILED')),
  -- Why it failed, in the processor's words.
  failure text,
  arrives_at timestamptz,
  -- What it is made of. UNKNOWN: the processor does not say it of one that was asked for by hand.
  lines text not null check (lines in ('WAITING', 'READ', 'UNKNOWN')),
  moved_at timestamptz not null,
  unique (processor, processor_id)
);
create index processor_payout_time on accounts.processor_payout (moved_at, id);
create index processor_payout_open on accounts.processor_payout (processor) where status = 'IN_TRANSIT' or lines = 'WAITING';

create table accounts.processor_reading (
  processor text primary key,
  -- Every movement before it is known.
  read_until timestamptz not null,
  -- Currency -> what the processor said then that it holds for us, minor units.
  held jsonb not null
);
