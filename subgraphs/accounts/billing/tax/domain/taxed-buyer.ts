/** Who sells or buys, as printed. */
export interface Party {
  name: string;
  /** Lines above the country. */
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

/** To whom an invoice is written: as the account is today, as long as the tax of the order fits that; else as it was when it was taxed. */
export function taxedBuyer(today: Party, taxed: Taxed | null): Party {
  const fits = !taxed || (taxed.country === today.country && (!taxed.reverseCharge || taxed.buyer.taxId === today.taxId));
  return fits ? today : taxed.buyer;
}

/** Whether what was invoiced to `before` was taxed for another country than `today` is in. */
export const isElsewhere = (before: Pick<Party, 'country'>, today: Pick<Party, 'country'>): boolean =>
  before.country !== null && before.country !== today.country;
