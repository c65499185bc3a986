// Guards requests to addresses that strangers have named: webhook endpoints, metadata of OAuth clients. A name is resolved once, all its addresses are judged,
// and a judged address is the one that is dialled, so that the name cannot point elsewhere in between.
import { Resolver } from 'node:dns/promises';
import { type LookupFunction, isIP, isIPv4 } from 'node:net';
import { SECOND } from './clock.ts';
import { createMachineAddresses } from './machine-addresses.ts';
import { FORBIDDEN_PORTS, isListed, isPublicAddress, plainAddress, toBlockList } from './public-address.ts';

export interface OutsideRules {
  /** Networks outside the public internet that are allowed. */
  privateNetworks: readonly string[];
  forbiddenNetworks: readonly string[];
  /** All addresses of a name; replaced in tests. */
  resolve?: (name: string) => Promise<readonly string[]>;
}

export class ForbiddenAddress extends Error {}

const DNS = { timeout: 2 * SECOND, tries: 2 };

async function resolveName(name: string): Promise<string[]> {
  const resolver = new Resolver(DNS);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/**
 * Returns the `lookup` of a request to a URL: it answers the one address that was judged. Rejects with ForbiddenAddress; with an Error when the name has no
 * address.
 */
export function createOutsideGuard({
  privateNetworks,
  forbiddenNetworks,
  resolve = resolveName,
}: OutsideRules): (url: URL) => Promise<LookupFunction> {
  const [allowed, forbidden] = [toBlockList(privateNetworks), toBlockList(forbiddenNetworks)];
  const machine = createMachineAddresses();

  function judge(given: string): void {
    const address = plainAddress(given);
    if (isListed(allowed, address)) return;
    if (!isPublicAddress(address) || machine().has(address) || isListed(forbidden, address))
      throw new ForbiddenAddress('The address is not on the public internet.');
  }

  return async ({ protocol, hostname, port }) => {
    if (protocol !== 'https:' && privateNetworks.length === 0) throw new ForbiddenAddress('Only https is spoken.');
    if (FORBIDDEN_PORTS.has(Number(port))) throw new ForbiddenAddress('Nothing is sent to this port.');
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const isHere = privateNetworks.length > 0 && host === 'localhost';
    const addresses = isHere ? ['127.0.0.1'] : isIP(host) === 0 ? await resolve(host) : [host];
    addresses.forEach(judge);
    const [address] = addresses;
    if (address === undefined) throw new Error('The name has no address.');
    const family = isIPv4(address) ? 4 : 6;
    return (_name, { all }, found) => {
      if (all) found(null, [{ address, family }]);
      else found(null, address, family);
    };
  };
}
