/** That a price is the account's own. */
export const ownPrice = {
  own: 'Your price',
  until: (day: string) => `Your price until ${day}`,
};
