// Addresses as support names them: one, or a whole network.
import { isIPv4 } from 'node:net';
import { fail } from '#platform/errors.ts';

/** "203.0.113.7" or "203.0.113.0/24", the network not smaller than a /16. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits = '32', ...rest] = text.split('/');
  return isIPv4(address) && rest.length === 0 && /^\d{1,2}$/.test(bits) && Number(bits) >= 16 && Number(bits) <= 32;
};

/** Addresses and networks, trimmed. Throws `parameter_invalid`. */
export function checkNetworks(addresses: readonly string[]): string[] {
  const networks = addresses.map((each) => each.trim()).filter(Boolean);
  const wrong = networks.find((each) => !isNetwork(each));
  if (wrong !== undefined || networks.length === 0)
    throw fail('parameter_invalid', {
      field: 'addresses',
      reason:
        wrong === undefined
          ? 'Name at least one address.'
          : `${JSON.stringify(wrong)} is not an IPv4 address or a network from /16 to /32.`,
    });
  return networks;
}
