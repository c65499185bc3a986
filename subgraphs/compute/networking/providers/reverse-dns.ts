// What addresses are called, in our words.
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

export interface ReverseDns {
  /** Sets the one name of an address; null: it has none. Setting what is set is no harm. May throw ReverseDnsTrouble, after which nobody knows whether it happened. */
  set(ip: string, name: string | null): Promise<void>;
}

export class ReverseDnsTrouble extends VendorTrouble {}
