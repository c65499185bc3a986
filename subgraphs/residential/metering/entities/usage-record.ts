// The ledger of a plan as a record that people read: day by day, from which address, to which host, through which country, how many bytes.
import { type EntityManager, runStatement } from '#platform/database.ts';

export interface UsageRecord {
  /** YYYY-MM-DD. */
  on: string;
  /** Null: unknown. */
  client: string | null;
  host: string | null;
  country: string | null;
  upBytes: bigint;
  downBytes: bigint;
  firstAt: Date;
}

const RECORD = `
  select to_char((at at time zone 'UTC')::date, 'YYYY-MM-DD') as "on", client, host, country, min(at) as first_at,
    sum(up_bytes)::bigint as up_bytes, sum(down_bytes)::bigint as down_bytes
  from residential.usage_entry where plan_id = $1 group by 1, client, host, country order by sum(up_bytes + down_bytes) desc limit $2`;

/** The rows with the most bytes, at most `limit`, ordered by time. */
export async function usageRecord(em: EntityManager, planId: string, limit: number): Promise<UsageRecord[]> {
  const rows = await runStatement<{
    on: string;
    client: string | null;
    host: string | null;
    country: string | null;
    up_bytes: string;
    down_bytes: string;
    first_at: string;
  }>(em, RECORD, [planId, limit]);
  return rows
    .map(({ on, client, host, country, up_bytes, down_bytes, first_at }) => ({
      on,
      client,
      host,
      country,
      upBytes: BigInt(up_bytes),
      downBytes: BigInt(down_bytes),
      firstAt: new Date(first_at),
    }))
    .sort((one, other) => one.firstAt.getTime() - other.firstAt.getTime());
}
