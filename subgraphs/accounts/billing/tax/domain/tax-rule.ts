// Who owes the tax on what is sold to an account.
import { isMemberState } from './vat-id.ts';

/** UNCHECKED: the register has not been asked yet, or did not answer. */
export const VAT_ID_STATES = ['UNCHECKED', 'VALID', 'INVALID'] as const;
export type VatIdState = (typeof VAT_ID_STATES)[number];

export interface Parties {
  /** Countries of ISO 3166; null: not known. */
  seller: string | null;
  buyer: string | null;
  /** Of the buyer's VAT id; null: there is none. */
  vatId: VatIdState | null;
}

/**
 * Whether the buyer owes it: a business of a member state, proven by its id, which buys from another country (Directive 2006/112/EC, articles 44 and
 * 196). An id that nobody could check proves nothing.
 */
export const isReverseCharged = ({ seller, buyer, vatId }: Parties): boolean =>
  seller !== null && seller !== buyer && isMemberState(buyer) && vatId === 'VALID';

/** What an invoice without tax must say then (the same directive, article 226, 11a). */
export const REVERSE_CHARGE = 'Reverse charge: the recipient is liable for the VAT (Article 196 of Directive 2006/112/EC).';
