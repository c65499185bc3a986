// How German mails format values, which they get as English mails write them: sums from `formatMoney`, days from `toDay`, moments from `toMinute`, sizes with a
// decimal point.
import { writeIn } from './mail-text.ts';

export const write = writeIn('de');

/** "1200.50 USD" becomes "1.200,50 USD". */
export const sum = (amount: string): string =>
  amount.replace(/^(-?)(\d+)\.(\d\d)(?= )/, (_all, sign: string, whole: string, cents: string) => {
    return `${sign}${Number(whole).toLocaleString('de-DE')},${cents}`;
  });

/** "2026-02-15" becomes "15.02.2026". */
export const day = (on: string): string => on.replace(/^(\d{4})-(\d\d)-(\d\d)/, '$3.$2.$1');

/** "2026-01-15 12:00 UTC" becomes "15.01.2026 um 12:00 UTC". */
export const minute = (at: string): string => day(at).replace(/^(\S+) (?=\d)/, '$1 um ');

/** "2.5 GB" becomes "2,5 GB", and "0.8654" becomes "0,8654". */
export const decimal = (amount: string): string => amount.replace(/^(-?\d+)\.(?=\d)/, '$1,');
