// The choices in an order of a dedicated server, checked and priced. Spec, Dedicated servers.
import { fail } from '#platform/errors.ts';
import type { OfferLine } from '#commerce/offers.ts';
import { type DedicatedPlan, type DedicatedPlanCode } from '../../catalogue/domain/dedicated-plan.ts';
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { checkHostname } from '../../servers/domain/hostname.ts';

export interface DedicatedOrder {
  plan: DedicatedPlanCode;
  months: number;
  os: OperatingSystem;
  hostname: string;
}

/** Checks an order; the host name is returned in lower case. Throws `parameter_invalid` with the field. */
export function checkDedicatedOrder(order: DedicatedOrder, plan: DedicatedPlan): DedicatedOrder & { months: 1 | 3 | 6 } {
  const hostname = checkHostname(order.hostname);
  const months = plan.prices.map((price) => price.months);
  if (!months.includes(order.months)) throw fail('parameter_invalid', { field: 'months', allowed: months });
  return { ...order, hostname, months: order.months as 1 | 3 | 6 };
}

/** The price of the whole period, paid upfront: per month times months. */
export function dedicatedLines({ months }: Pick<DedicatedOrder, 'months'>, plan: DedicatedPlan): OfferLine[] {
  const price = plan.prices.find((one) => one.months === months);
  if (!price) throw fail('parameter_invalid', { field: 'months' });
  return [{ label: `Dedicated server ${plan.name}, per month`, quantity: months, amountMinor: price.upfront.amountMinor }];
}

export const dedicatedTitle = ({ months, os }: DedicatedOrder, { name }: DedicatedPlan): string =>
  `Dedicated server ${name}, ${OPERATING_SYSTEMS[os].name}, ${months} ${months === 1 ? 'month' : 'months'}`;
