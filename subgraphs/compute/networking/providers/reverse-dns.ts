// Our interface to reverse DNS.
import type { Finding } from '#platform/vendor-check.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

export interface ReverseDns {
  /** Sets the one name of an address; null removes it. Setting it again does no harm. May throw ReverseDnsTrouble; it is then unknown whether the change happened. */
  set(ip: string, name: string | null): Promise<void>;
  /** Checks that the name server accepts our key and has the zones of these addresses. Throws if it cannot be reached. */
  check(ips: readonly string[]): Promise<Finding[]>;
}

export class ReverseDnsTrouble extends VendorTrouble {}
