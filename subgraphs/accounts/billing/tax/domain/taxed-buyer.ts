/** A seller or buyer as printed on invoices. */
export interface Party {
  name: string;
  /** The lines of the address above the country. */
  address: string[];
  /** ISO 3166 alpha-2. */
  country: string | null;
  taxId: string | null;
  email: string | null;
}

/** How an order was taxed. */
interface Taxed {
  buyer: Party;
  country: string;
  reverseCharge: boolean;
}

/** The buyer that an invoice names: the account as it is today, if the tax of the order still fits that; otherwise as it was when the order was taxed. */
export function taxedBuyer(today: Party, taxed: Taxed | null): Party {
  const fits = !taxed || (taxed.country === today.country && (!taxed.reverseCharge || taxed.buyer.taxId === today.taxId));
  return fits ? today : taxed.buyer;
}

/** Whether an invoice to `before` was taxed for another country than that of `today`. */
export const isElsewhere = (before: Pick<Party, 'country'>, today: Pick<Party, 'country'>): boolean =>
  before.country !== null && before.country !== today.country;
