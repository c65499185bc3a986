/** The shop's name, as the checkout page and invoices show it. */
export const MERCHANT = 'Egress';
