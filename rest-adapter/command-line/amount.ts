/** Minor units as people read them: "12.50 USD". */
export const amount = (minor: number, currency: string): string => `${(minor / 100).toFixed(2)} ${currency}`;
