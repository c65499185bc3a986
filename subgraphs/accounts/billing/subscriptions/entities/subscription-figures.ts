import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** Counts subscriptions that have not ended, by seller and status. */
export async function livingSubscriptions(em: EntityManager): Promise<{ seller: string; status: string; subscriptions: number }[]> {
  const { rows } = await sql<{ seller: string; status: string; subscriptions: number }>`
    select seller, status, count(*)::int as subscriptions from billing_subscription where status <> 'CANCELED' group by seller, status`.execute(
    em.getKysely(),
  );
  return rows;
}

/** Counts attempts to collect renewals that were refused since then, by whether the means are tried again. */
export async function failedAttemptsSince(em: EntityManager, since: Date): Promise<{ isFinal: boolean; attempts: number }[]> {
  const { rows } = await sql<{ isFinal: boolean; attempts: number }>`
    select given as "isFinal", count(renewal_attempt.id)::int as attempts
    from unnest(array[false, true]) as given
    left join renewal_attempt on is_final = given and attempted_at > ${since}::timestamptz group by given`.execute(em.getKysely());
  return rows;
}
