/** Mails to staff. They are in English for everybody, as support's desk is. */
const STAFF_MAILS = [
  'credit_waits',
  'dispute_due',
  'dispute_opened',
  'fraud_warned',
  'key_asked',
  'payout_failed',
  'refund_failed',
  'sales_asked',
  'second_person_asked',
  'staff_roles_changed',
  'transfer_asked',
] as const;

/** The mails to customers among a noun's mails. Every other language must have all of these, or type checks fail. */
export type ToCustomers<Mails> = Omit<Mails, (typeof STAFF_MAILS)[number]>;
