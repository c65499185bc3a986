// The movements of recurring revenue, one row per change; in minor units per year, before tax, so that no month is rounded.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { BillingSubscription } from './billing-subscription.ts';

/** Adds a row when `yearlyMinor` differs from the last one. The caller holds the subscription's lock, so that rows are written one after the other. */
export async function noteMovement(
  em: EntityManager,
  { id, accountId, seller, currency }: Pick<BillingSubscription, 'id' | 'accountId' | 'seller' | 'currency'>,
  { yearlyMinor, at }: { yearlyMinor: number; at: Date },
): Promise<void> {
  await sql`
    insert into recurring_movement (subscription_id, number, account_id, seller, currency, before_minor, after_minor, moved_at)
    select ${id}, coalesce(last.number, 0) + 1, ${accountId}, ${seller}, ${currency}, coalesce(last.after_minor, 0), ${yearlyMinor}::bigint, ${at}
    from (select) as always left join lateral (
      select number, after_minor from recurring_movement where subscription_id = ${id} order by number desc limit 1) as last on true
    where coalesce(last.after_minor, 0) <> ${yearlyMinor}::bigint`.execute(em.getKysely());
}
