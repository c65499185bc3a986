// Which addresses are on the public internet, and which belong to the operator's network or to a cloud's internal services. An address that a stranger names,
// as the target of a proxy line or of webhooks, is checked against this one list.
import { BlockList, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Mail submission, file sharing, remote desktops and databases: targets of abuse through stolen proxies. Spec is silent. */
export const FORBIDDEN_PORTS: ReadonlySet<number> = new Set([
  23, 25, 135, 137, 138, 139, 445, 465, 587, 2375, 2525, 3389, 5900, 6379, 11211,
]);

/** RFC 6890 and its registry: networks that are not on the public internet. */
const FORBIDDEN_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Public addresses that a cloud's internal services answer: Azure's wire server, which gives out secrets of virtual machines; IBM Cloud's services. */
const CLOUD_INTERNAL = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'];
/**
 * Only global unicast is allowed, except protocol assignments (Teredo, ORCHID, benchmarks), documentation, 6to4 and AS112. NAT64 (64:ff9b::) lies outside of
 * it.
 */
const GLOBAL_IPV6 = '2000::/3';
const FORBIDDEN_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** `networks` are addresses and CIDR networks. */
export function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
/** Whether a list contains an address, which must be in its plain form. */
export const isListed = (list: BlockList, address: string): boolean => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

const specialIpv4 = toBlockList([...FORBIDDEN_IPV4, ...CLOUD_INTERNAL]);
const specialIpv6 = toBlockList(FORBIDDEN_IPV6);
const globalIpv6 = toBlockList([GLOBAL_IPV6]);

/** One spelling per address: an IPv4-mapped IPv6 address becomes IPv4. */
export function plainAddress(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress()) return (parsed as ipaddr.IPv6).toIPv4Address().toString();
  return parsed.toString();
}

/** Whether an address, in its plain form, is on the public internet. */
export const isPublicAddress = (address: string): boolean =>
  isIPv4(address) ? !specialIpv4.check(address, 'ipv4') : globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6');
