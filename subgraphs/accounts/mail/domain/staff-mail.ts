/** Mails to the seller's own people: they are English whoever gets them, as the desk is. */
const STAFF_MAILS = [
  'credit_waits',
  'dispute_due',
  'dispute_opened',
  'fraud_warned',
  'key_asked',
  'payout_failed',
  'refund_failed',
  'sales_asked',
  'staff_roles_changed',
  'transfer_asked',
] as const;

/** Of a room's mails those to its customers, as every other language has them: one that is missing fails the types. */
export type ToCustomers<Mails> = Omit<Mails, (typeof STAFF_MAILS)[number]>;
