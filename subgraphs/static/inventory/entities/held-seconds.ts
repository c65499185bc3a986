// For how long addresses were sold on a day.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface HeldSeconds {
  productId: string;
  seconds: bigint;
}

/** Seconds of a span for which addresses were held by plans, by product of the plan. */
export async function heldSeconds(em: EntityManager, { begins, ends }: { begins: Date; ends: Date }): Promise<HeldSeconds[]> {
  const { rows } = await sql<{ productId: string; seconds: string }>`
    select plan.product_id as "productId",
      sum(floor(extract(epoch from least(coalesce(tenure.ended_at, ${ends}::timestamptz), ${ends}::timestamptz)
        - greatest(tenure.started_at, ${begins}::timestamptz))))::bigint::text as seconds
    from tenure join plan on plan.id = tenure.plan_id
    where tenure.started_at < ${ends} and (tenure.ended_at is null or tenure.ended_at > ${begins})
    group by plan.product_id order by plan.product_id`.execute(em.getKysely());
  return rows.map(({ productId, seconds }) => ({ productId, seconds: BigInt(seconds) }));
}
