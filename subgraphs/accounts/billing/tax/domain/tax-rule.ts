// Decides who owes the tax on a sale.
import { isMemberState } from './vat-id.ts';

/** UNCHECKED: the register has not been asked yet, or did not answer. */
export const VAT_ID_STATES = ['UNCHECKED', 'VALID', 'INVALID'] as const;
export type VatIdState = (typeof VAT_ID_STATES)[number];

export interface Parties {
  /** Countries of ISO 3166; null: not known. */
  seller: string | null;
  buyer: string | null;
  /** The state of the buyer's VAT id; null: there is none. */
  vatId: VatIdState | null;
}

/**
 * Whether the buyer owes the tax: a business of a member state, proven by its VAT id, that buys from another country (Directive 2006/112/EC, articles 44 and
 * 196). An id that could not be checked proves nothing.
 */
export const isReverseCharged = ({ seller, buyer, vatId }: Parties): boolean =>
  seller !== null && seller !== buyer && isMemberState(buyer) && vatId === 'VALID';

/** The text that an invoice without tax must then carry (the same directive, article 226, 11a). */
export const REVERSE_CHARGE = 'Reverse charge: the recipient is liable for the VAT (Article 196 of Directive 2006/112/EC).';
