// One charge of a processor, as pay-outs and credit refer to it.
import type { Processor } from './payment-method.ts';

export interface Charge {
  processor: Processor;
  processorId: string;
}

/** "processor:its id there". */
export const toChargeId = ({ processor, processorId }: Charge): string => `${processor}:${processorId}`;

export function toCharge(chargeId: string): Charge {
  const end = chargeId.indexOf(':');
  return { processor: chargeId.slice(0, end) as Processor, processorId: chargeId.slice(end + 1) };
}
