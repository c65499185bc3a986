// What is kept of an account that is closed: what it is, and why it must be.
export type KeptKind = 'BOOKS' | 'TAX_EVIDENCE' | 'ACTIVITY' | 'MAILS';
export type KeptTexts = Readonly<Record<KeptKind, { what: string; why: string }>>;

export const KEPT: KeptTexts = {
  BOOKS: { what: 'Orders, payments and invoices', why: 'books must be kept for ten years' },
  TAX_EVIDENCE: { what: 'From where taxed orders came', why: 'tax law wants it for ten years after the year of the sale' },
  ACTIVITY: { what: "The account's activity", why: 'to look into abuse and disputes' },
  MAILS: { what: 'That mails were sent, without what they said', why: 'to look into complaints' },
};
