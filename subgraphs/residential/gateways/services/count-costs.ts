// What residential traffic has cost: what left by a seller's gateway at that seller's price, all else at what the catalogue says that a GB costs.
import { GB } from '#platform/data-size.ts';
import { type CostDay, MICROS, type ProductCost, costOn } from '#commerce/costs/count-costs.ts';
import type { Context } from '../../edges/context.ts';
import { itemOf } from '../../plans/domain/catalogue.ts';
import { bytesByGateway, bytesByProduct } from '../entities/exit-bytes.ts';

export async function countCosts(ctx: Context, day: CostDay): Promise<ProductCost[]> {
  const [carried, byGateway] = [await bytesByProduct(ctx.em, day.day), await bytesByGateway(ctx.em, day)];
  const costOf = costOn(ctx, day);
  const priced = (bytes: bigint, perGbMinor: number) => (bytes * BigInt(perGbMinor) * MICROS) / GB;
  return carried.map(({ product, bytes }) => {
    const parts = byGateway.filter((part) => part.product === product);
    const own = parts.reduce((left, part) => left - part.bytes, bytes);
    const bought = parts.reduce((sum, part) => sum + priced(part.bytes, part.costPerGbMinor), 0n);
    return { product, unit: 'BYTES', units: bytes, costMicros: bought + priced(own > 0n ? own : 0n, costOf(itemOf(product))) };
  });
}
