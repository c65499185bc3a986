/** That a price is the account's own. */
export const ownPrice = {
  own: 'Ihr Preis',
  until: (day: string) => `Ihr Preis bis ${day}`,
};
