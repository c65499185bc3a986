// What addresses are called, in our words.
import type { Finding } from '#platform/vendor-check.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

export interface ReverseDns {
  /** Sets the one name of an address; null: it has none. Setting what is set is no harm. May throw ReverseDnsTrouble, after which nobody knows whether it happened. */
  set(ip: string, name: string | null): Promise<void>;
  /** Whether it lets us in and has the zones of these addresses. Throws what keeps it from being asked. */
  check(ips: readonly string[]): Promise<Finding[]>;
}

export class ReverseDnsTrouble extends VendorTrouble {}
