/** The address of the checkout of a signed offer. The offer is in the fragment, which browsers do not send, so that no server logs it. */
export const checkoutHref = (offer: string): string => `/checkout#${offer}`;
