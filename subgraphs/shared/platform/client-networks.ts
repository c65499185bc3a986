// Addresses and networks from which customers connect, as customers enter them: those that are allowed besides the password, and those that stand for it.
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TEXT_MAX } from '../../../schema/limits.ts';
import { because, fail } from './errors.ts';

/** The most networks of one plan that stand for its password. */
const CLIENT_NETWORKS_MAX = 100;
/** The shortest prefixes. A wider network does not belong to one customer. */
const SHORTEST = { ipv4: 24, ipv6: 48 } as const;

/**
 * Takes 203.0.113.7, 203.0.113.0/24 or 2001:db8::/64, and returns the form that is stored: CIDR with zero host bits. Networks whose addresses are not `isFit`
 * are refused: private and special-use ones, which many people share, except in development. Errors: parameter_invalid.
 */
export function toNetwork(typed: string, isFit: (address: string) => boolean): string {
  const [text = '', bits, ...rest] = typed.trim().toLowerCase().split('/');
  const unfit = () =>
    fail('parameter_invalid', { field: 'network', reason: because('client_unfit', { address: typed.trim().slice(0, 64) }) });
  // Octal, hexadecimal and short forms of IPv4 mean different addresses to different programs.
  if (
    rest.length > 0 ||
    !(ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(':') && ipaddr.IPv6.isValid(text) && !text.includes('%')))
  )
    throw unfit();
  const address = ipaddr.process(text);
  const kind = address.kind();
  const width = kind === 'ipv4' ? 32 : 128;
  // The prefix length of an IPv4-mapped IPv6 address counts the 96 bits before the IPv4 address.
  const isMapped = kind === 'ipv4' && text.includes(':');
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) throw unfit();
  const length = bits === undefined ? width : Number(bits) - (isMapped ? 96 : 0);
  if (length > width) throw unfit();
  if (length < SHORTEST[kind])
    throw fail('parameter_invalid', {
      field: 'network',
      reason: because('network_too_wide', { ipv4: SHORTEST.ipv4, ipv6: SHORTEST.ipv6 }),
    });
  const network =
    kind === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${length}`);
  if (!isFit(network.toString())) throw fail('parameter_invalid', { field: 'network', reason: because('network_not_public') });
  return `${network}/${length}`;
}

/** The note as it is stored: trimmed. Throws `parameter_invalid`. */
export function toNetworkNote(given: string | null | undefined): string {
  const note = (given ?? '').trim();
  if (note.length > TEXT_MAX.networkNote)
    throw fail('parameter_invalid', { field: 'note', reason: because('network_note_long', { max: TEXT_MAX.networkNote }) });
  return note;
}

/** Throws `parameter_invalid` when a plan with so many networks can have no further one. */
export function checkNetworkCount(count: number): void {
  if (count >= CLIENT_NETWORKS_MAX)
    throw fail('parameter_invalid', { field: 'network', reason: because('clients_too_many', { max: CLIENT_NETWORKS_MAX }) });
}

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
