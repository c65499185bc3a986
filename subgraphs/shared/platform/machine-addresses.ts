// The addresses of this machine, read again while it runs. Addresses change, and a service that is bound to one of them may trust every connection from it.
import { networkInterfaces } from 'node:os';
import { SECOND } from './clock.ts';
import { plainAddress } from './public-address.ts';

/** Reading takes a tenth of a millisecond: too long to do it for every connection. */
const BELIEVED_MS = 3 * SECOND;

/** Addresses of all interfaces in their plain form, at most BELIEVED_MS old. `read` is replaced in tests. */
export function createMachineAddresses(
  monotonic: () => number = () => performance.now(),
  read: typeof networkInterfaces = networkInterfaces,
): () => ReadonlySet<string> {
  let known: ReadonlySet<string> = new Set();
  let until = -Infinity;
  return () => {
    if (monotonic() < until) return known;
    known = new Set(Object.values(read()).flatMap((list) => (list ?? []).map(({ address }) => plainAddress(address))));
    until = monotonic() + BELIEVED_MS;
    return known;
  };
}
