// Whether customers can trust the proxies that they speak TLS to at static addresses.
import { lastQuarter, lookAtCertificate } from '#platform/self-check.ts';
import { type VendorFinding, findingsOf } from '#platform/vendor-check.ts';
import { secureSocket } from '../domain/line-text.ts';
import { addressesOfPlaces } from '../entities/plan-address.ts';
import type { PlansContext } from '../context.ts';

const PLACES = 10;

/** Of one address that is in use in each of at most ten places: the nodes of a place mostly have one certificate. Empty: HTTPS is offered nowhere. */
export async function lookAtCertificates({ em, clock, providers: { secure } }: PlansContext): Promise<VendorFinding[]> {
  if (!secure) return [];
  const sockets = (await addressesOfPlaces(em, PLACES)).map((ip) => secureSocket(secure, ip));
  if (sockets.length === 0)
    return [{ vendor: VENDOR, what: 'certificate', ok: true, words: 'no address is in use that could be looked at' }];
  const look = async (socket: string) => {
    const { hostname, port } = new URL(`https://${socket}`);
    return { ...(await lookAtCertificate({ hostname, port }, clock, lastQuarter)), what: `certificate of ${socket}` };
  };
  return findingsOf(VENDOR, () => Promise.all(sockets.map(look)));
}
const VENDOR = 'static proxies';
