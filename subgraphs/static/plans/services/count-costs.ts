// What sold addresses have cost: each for the time that a plan held it, at what the catalogue says that an address costs a month.
import { type CostDay, type ProductCost, costOfSeconds, costOn } from '#commerce/costs/count-costs.ts';
import { heldSeconds } from '../../inventory/entities/held-seconds.ts';
import { itemOf } from '../../products/domain/catalogue.ts';
import { isStaticProductId } from '../../products/domain/static-product.ts';
import type { PlansContext } from '../context.ts';

export async function countCosts(ctx: PlansContext, day: CostDay): Promise<ProductCost[]> {
  const costOf = costOn(ctx, day);
  return (await heldSeconds(ctx.em, day)).flatMap(({ productId: product, seconds }) =>
    isStaticProductId(product)
      ? [{ product, unit: 'ADDRESS_SECONDS' as const, units: seconds, costMicros: costOfSeconds(costOf(itemOf(product)), seconds, day) }]
      : [],
  );
}
