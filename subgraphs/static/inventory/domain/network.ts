// Addresses as support writes them: one, or a whole network.
import { isIPv4 } from 'node:net';
import { because, fail } from '#platform/errors.ts';

/** "203.0.113.7" or "203.0.113.0/24", the network not smaller than a /16. */
export const isNetwork = (text: string): boolean => {
  const [address = '', bits = '32', ...rest] = text.split('/');
  return isIPv4(address) && rest.length === 0 && /^\d{1,2}$/.test(bits) && Number(bits) >= 16 && Number(bits) <= 32;
};

/** The addresses and networks, trimmed. Throws `parameter_invalid`. */
export function checkNetworks(addresses: readonly string[]): string[] {
  const networks = addresses.map((each) => each.trim()).filter(Boolean);
  const wrong = networks.find((each) => !isNetwork(each));
  if (wrong !== undefined || networks.length === 0)
    throw fail('parameter_invalid', {
      field: 'addresses',
      reason: wrong === undefined ? because('addresses_missing') : because('ipv4_network_unfit', { address: wrong }),
    });
  return networks;
}
