// Who used an address or an exit, read from the ledger. Each plan is looked up by the index of plan and time, so any span costs a few look-ups per plan.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { AddressUseRow } from '../domain/address-use.ts';
import type { UsageSpan } from '../domain/usage-span.ts';

const BY_ADDRESS = `
  select plan.id as plan_id, entry.session, entry.client, entry.host, used ->> 0 as exit, used ->> 1 as address, min(entry.at) as first_at, max(entry.at) as last_at,
    sum((used ->> 2)::bigint)::bigint as up_bytes, sum((used ->> 3)::bigint)::bigint as down_bytes
  from residential.plan plan
    cross join lateral (
      select session, client, host, at, exits from residential.usage_entry
      where plan_id = plan.id and at >= $2 and at < $3 and exits is not null
    ) entry
    cross join lateral jsonb_array_elements(entry.exits) used
  where used ->> 1 = $1 or used ->> 0 = $1
  group by 1, 2, 3, 4, 5, 6 order by sum((used ->> 2)::bigint + (used ->> 3)::bigint) desc, plan.id, host limit $4`;

/** The uses with the most bytes, at most `limit`; `where` is an address or the id of an exit. */
export async function addressUses(em: EntityManager, where: string, { from, to }: UsageSpan, limit: number): Promise<AddressUseRow[]> {
  const rows = await runStatement<{
    plan_id: string;
    session: string | null;
    client: string | null;
    host: string | null;
    exit: string;
    address: string | null;
    first_at: string;
    last_at: string;
    up_bytes: string;
    down_bytes: string;
  }>(em, BY_ADDRESS, [where, from.toISOString(), to.toISOString(), limit]);
  return rows.map((row) => ({
    planId: row.plan_id,
    session: row.session,
    client: row.client,
    host: row.host,
    exit: row.exit,
    address: row.address,
    firstAt: new Date(row.first_at),
    lastAt: new Date(row.last_at),
    upBytes: BigInt(row.up_bytes),
    downBytes: BigInt(row.down_bytes),
  }));
}
