// Checks networks from which a plan may be used without a password.
import ipaddr from 'ipaddr.js';
import { because, fail } from '#platform/errors.ts';

/** The most networks of one plan. */
export const CLIENT_NETWORKS_MAX = 100;
export const NETWORK_NOTE_MAX = 60;
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
