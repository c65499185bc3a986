/** A card is good to the end of the month that stands on it; what has no such month does not expire. */
export const expiresBefore = ({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }, at: Date): boolean =>
  expiryYear > 0 && at.getTime() >= Date.UTC(expiryYear, expiryMonth, 1);
