// Money is integer minor units with a currency, everywhere. Never a float.

export interface Money {
  amountMinor: number;
  currency: string;
}

/** The currency of all sales. */
export const CURRENCY = 'USD';

export const usd = (amountMinor: number): Money => ({ amountMinor, currency: CURRENCY });

/** The amounts must be in one currency. */
export const sumOfAmounts = (rows: readonly { amountMinor: number }[]): number =>
  rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Rounds half away from zero, as invoices do. `divisor` must be above zero. */
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

/** Minor units as a decimal with a point: "-1234" -> "-12.34". */
export function decimalOf(minor: number | string): string {
  const amount = BigInt(minor);
  const cents = String(amount < 0n ? -amount : amount).padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** "49.50 USD"; for mails and documents. The dashboard formats by locale instead. */
export const formatMoney = ({ amountMinor, currency }: Money): string => `${decimalOf(amountMinor)} ${currency}`;
