// What each member of staff has given away on a day: one row each, added to in one statement, so that what is given side by side counts together.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/**
 * What the day has come to with this, in minor units. The row is held to the end of the transaction: who gives more at the same time waits for it.
 */
export async function addStaffGift(
  em: EntityManager,
  { staffId, day, currency, amountMinor }: { staffId: string; day: string; currency: string; amountMinor: number },
): Promise<bigint> {
  const { rows } = await sql<{ total: string }>`
    insert into staff_gift as g (staff_id, day, currency, amount_minor) values (${staffId}, ${day}::date, ${currency}, ${amountMinor})
    on conflict (staff_id, day, currency) do update set amount_minor = g.amount_minor + excluded.amount_minor
    returning amount_minor::text as total`.execute(em.getKysely());
  return BigInt(rows[0]?.total ?? 0);
}
