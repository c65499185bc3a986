// The tables product_cost and cost_day: what products have cost their operator, by day.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface CountedDay {
  seller: string;
  /** YYYY-MM-DD. */
  day: string;
  countedAt: Date;
  products: readonly { product: string; unit: string; units: string; costMicros: string }[];
}

/** Replaces what was said of this seller's day, unless that was said later. */
export async function storeCountedDay(em: EntityManager, { seller, day, countedAt, products }: CountedDay): Promise<void> {
  const { rows } = await sql`
    insert into cost_day (seller, day, counted_at) values (${seller}, ${day}::date, ${countedAt})
    on conflict (seller, day) do update set counted_at = excluded.counted_at where cost_day.counted_at <= excluded.counted_at
    returning day`.execute(em.getKysely());
  if (rows.length === 0) return;
  await sql`delete from product_cost where seller = ${seller} and day = ${day}::date`.execute(em.getKysely());
  await sql`insert into product_cost (seller, product, day, unit, units, cost_micros)
    select ${seller}, product, ${day}::date, unit, units, "costMicros"
    from jsonb_to_recordset(${JSON.stringify(products)}::jsonb) as told (product text, unit text, units numeric, "costMicros" numeric)`.execute(
    em.getKysely(),
  );
}
