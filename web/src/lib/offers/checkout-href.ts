/** The checkout of a signed offer. It stands behind the `#`: a price is nobody's business but the buyer's, and no server's log. */
export const checkoutHref = (offer: string): string => `/checkout#${offer}`;
