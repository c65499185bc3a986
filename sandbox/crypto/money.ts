// Amounts: decimal strings in the API, whole cents and whole satoshi here.

/** One cent is 20 satoshi: 1 BTC = 50,000.00 USD, so that no conversion ever rounds. */
export const SATS_PER_CENT = 20;
export const RATE = '50000.00';

/** "12.5" -> 1250; null for text that is not an amount with at most two decimals. */
export function toCents(text: string): number | null {
  const match = /^(\d{1,10})(?:\.(\d{1,2})0*)?$/.exec(text);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : null;
}

/** 1250 -> "12.50" */
export const toDecimal = (cents: number): string => fixed(cents, 2);

/** 250 cents -> "0.00005000" BTC */
export const toCoins = (cents: number): string => fixed(cents * SATS_PER_CENT, 8);

function fixed(units: number, places: number): string {
  const digits = String(Math.abs(units)).padStart(places + 1, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
