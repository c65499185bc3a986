// Ranges of IPv4 addresses, from the first to the last.
import { isIPv4 } from 'node:net';
import { z } from 'zod';

/** "203.0.113.10-203.0.113.250/24" */
export const addressRange = z.string().transform((value, context) => {
  const [, first = '', last = '', bits = ''] = /^([\d.]+)-([\d.]+)\/(\d{1,2})$/.exec(value) ?? [];
  if (!isIPv4(first) || !isIPv4(last) || Number(bits) < 8 || Number(bits) > 32)
    context.addIssue({ code: 'custom', message: 'must be FIRST-LAST/BITS such as 203.0.113.10-203.0.113.250/24' });
  return { first, last, bits: Number(bits) };
});

type Range = Pick<z.output<typeof addressRange>, 'first' | 'last'>;

const toNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Whether two ranges have an address in common. */
export const overlap = (one: Range, other: Range): boolean =>
  toNumber(one.first) <= toNumber(other.last) && toNumber(one.last) >= toNumber(other.first);

/** `ip`: an IPv4 address. */
export const isWithin = (ip: string, range: Range): boolean => overlap({ first: ip, last: ip }, range);
