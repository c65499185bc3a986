/** The shop's name on the checkout page and on invoices. */
export const MERCHANT = 'Egress';
