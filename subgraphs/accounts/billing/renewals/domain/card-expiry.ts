/** Whether a card has expired at that moment: it is valid to the end of the month that is printed on it. Means without such a month do not expire. */
export const expiresBefore = ({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }, at: Date): boolean =>
  expiryYear > 0 && at.getTime() >= Date.UTC(expiryYear, expiryMonth, 1);
