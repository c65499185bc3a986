// What each product carried on a day, and by which gateways of sellers.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';

export interface ProductBytes {
  product: ProductCode;
  bytes: bigint;
}

/** Bytes in both directions by product, of a UTC day. */
export async function bytesByProduct(em: EntityManager, day: string): Promise<ProductBytes[]> {
  const rows = await runStatement<{ product: ProductCode; bytes: string }>(
    em,
    `select plan.product, sum(used.up_bytes + used.down_bytes) as bytes from residential.usage_day as used join residential.plan on plan.id = used.plan_id
     where used.day = $1::date group by plan.product order by plan.product`,
    [day],
  );
  return rows.map(({ product, bytes }) => ({ product, bytes: BigInt(bytes) }));
}

export interface GatewayCost extends ProductBytes {
  /** Cents per GB that its seller charges now. */
  costPerGbMinor: number;
}

/** Of these the bytes that left by gateways, by product and gateway. Reads every entry of the day, of those that tell an exit. */
export async function bytesByGateway(em: EntityManager, { begins, ends }: { begins: Date; ends: Date }): Promise<GatewayCost[]> {
  const rows = await runStatement<{ product: ProductCode; bytes: string; cost: number }>(
    em,
    `select plan.product, gateway.cost_per_gb_minor as cost, sum((part ->> 2)::bigint + (part ->> 3)::bigint) as bytes
     from residential.usage_entry as entry
       cross join lateral jsonb_array_elements(entry.exits) as part
       join residential.gateway on gateway.id = part ->> 0
       join residential.plan on plan.id = entry.plan_id
     where entry.at >= $1::timestamptz and entry.at < $2::timestamptz and entry.exits is not null
     group by plan.product, gateway.id, gateway.cost_per_gb_minor order by 1, gateway.id`,
    [begins.toISOString(), ends.toISOString()],
  );
  return rows.map(({ product, bytes, cost }) => ({ product, bytes: BigInt(bytes), costPerGbMinor: cost }));
}
