// What servers have cost: for the time that each was there, with its extras, at what the catalogue says that they cost a month.
import { type CostDay, type ProductCost, costOfSeconds, costOn } from '#commerce/costs/count-costs.ts';
import { type SoldServers, soldSeconds } from '../../servers/entities/sold-seconds.ts';
import type { OrdersContext } from '../context.ts';

const itemOf = ({ kind, planCode }: SoldServers): string => `${kind === 'VPS' ? 'vps' : 'dedicated'}.${planCode}`;

export async function countCosts(ctx: OrdersContext, day: CostDay): Promise<ProductCost[]> {
  const costOf = costOn(ctx, day);
  const known = new Set(ctx.providers.catalogue.fields.map(({ item }) => item));
  return (await soldSeconds(ctx.em, day))
    .filter((sold) => known.has(itemOf(sold)))
    .map((sold) => ({
      product: sold.planCode,
      unit: 'SERVER_SECONDS',
      units: sold.seconds,
      costMicros:
        costOfSeconds(costOf(itemOf(sold)), sold.seconds, day) +
        costOfSeconds(costOf('vps.extraIpv4'), sold.addressSeconds, day) +
        costOfSeconds(costOf('vps.backups'), sold.backupSeconds, day),
    }));
}
