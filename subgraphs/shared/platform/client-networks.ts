// Addresses and networks from which customers connect, as customers enter them.
import { isIP, isIPv4 } from 'node:net';
import { because, fail } from './errors.ts';

/** The list as it is stored: trimmed, in lower case, without duplicates, at most `max`. Throws `parameter_invalid` for `field`. */
export function toClientNetworks(given: readonly string[], field: string, max: number): string[] {
  const list = [...new Set(given.map((each) => each.trim().toLowerCase()).filter(Boolean))];
  if (list.length > max) throw fail('parameter_invalid', { field, reason: because('clients_too_many', { max }) });
  const wrong = list.find((each) => !isAddressOrNetwork(each));
  if (wrong !== undefined) throw fail('parameter_invalid', { field, reason: because('client_unfit', { address: wrong }) });
  return list;
}

/** An address such as 203.0.113.7, or a network no larger than /8 of IPv4 or /16 of IPv6. */
function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || !isIP(address)) return false;
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= (isIPv4(address) ? 8 : 16) && Number(bits) <= (isIPv4(address) ? 32 : 128))
  );
}
