import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Processor } from '../domain/payment-method.ts';

export interface PaidSum {
  processor: Processor;
  currency: string;
  payments: number;
  amountMinor: number;
}

/** The sums paid since an instant. */
export async function paidSince(em: EntityManager, since: Date): Promise<PaidSum[]> {
  const { rows } = await sql<PaidSum>`
    select processor, currency, count(*)::int as payments, sum(amount_minor)::float8 as "amountMinor"
    from payment where paid_at > ${since}::timestamptz group by processor, currency`.execute(em.getKysely());
  return rows;
}

/** How many refunds came back and wait for a person. */
export async function countFailedRefunds(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from refund where status = 'FAILED'`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
