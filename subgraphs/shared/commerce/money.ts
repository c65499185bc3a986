// Money is integer minor units with a currency, everywhere. Never a float.

export interface Money {
  amountMinor: number;
  currency: string;
}

export const usd = (amountMinor: number): Money => ({ amountMinor, currency: 'USD' });

/** Half away from zero, as invoices round. Takes an exact fraction of integers; `divisor` above zero. */
export function divideHalfUp(amount: bigint, divisor: bigint): bigint {
  const sign = amount < 0n ? -1n : 1n;
  const magnitude = amount * sign;
  return (sign * (2n * magnitude + divisor)) / (2n * divisor);
}

/** Cents of a decimal string such as "28.33". Throws a RangeError on more than two places, so that a price list with a third decimal never loads. */
export function toMinor(decimal: string): number {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(decimal);
  if (!match) throw new RangeError(`not a price with at most two decimals: ${decimal}`);
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** "49.50 USD"; for mails and documents. The dashboard formats by locale instead. */
export const formatMoney = ({ amountMinor, currency }: Money): string => {
  const sign = amountMinor < 0 ? '-' : '';
  const cents = Math.abs(amountMinor);
  return `${sign}${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')} ${currency}`;
};
