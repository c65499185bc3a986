// Queries with which tests of residential read and set its tables. Plans, days, entries and leases count the same bytes, and must agree.
import type { EdgeStatus } from '../../../edge/protocol/control-plane.ts';
import { type Query, addRow, rowOf, rowsOf } from '../../kit/tables.ts';

interface Sum {
  up: string;
  down: string;
}

const SUM = 'coalesce(sum(up_bytes), 0) as up, coalesce(sum(down_bytes), 0) as down';

export const residentialTables = (query: Query) => ({
  /** The bytes of all usage entries of a plan, as text. */
  sumOfEntries: async (planId: string): Promise<Sum> =>
    (await rowOf<Sum>(query, 'residential.usage_entry', { plan_id: planId }, { columns: SUM })) ?? { up: '0', down: '0' },
  /** The bytes of all days of a plan, as text. */
  sumOfDays: async (planId: string): Promise<Sum> =>
    (await rowOf<Sum>(query, 'residential.usage_day', { plan_id: planId }, { columns: SUM })) ?? { up: '0', down: '0' },
  /** The bytes that the leases of a plan have settled, as text. */
  settledOf: async (planId: string): Promise<string> =>
    (
      await rowOf<{ settled: string }>(
        query,
        'residential.lease',
        { plan_id: planId },
        { columns: 'coalesce(sum(settled_bytes), 0) as settled' },
      )
    )?.settled ?? '0',
  /** The days of a plan (`2026-01-09`) and their bytes. */
  daysOf: (planId: string) =>
    rowsOf<{ day: string; up_bytes: number; down_bytes: number }>(
      query,
      'residential.usage_day',
      { plan_id: planId },
      { columns: 'day::text, up_bytes::float8 as up_bytes, down_bytes::float8 as down_bytes', orderBy: 'day' },
    ),
  /** The uploaded bytes of a plan by session, host, client and country. */
  usageBy: (planId: string) =>
    query<{ session: string | null; host: string; client: string; country: string; up: number }>(
      `select session, host, client, country, sum(up_bytes)::int as up from residential.usage_entry where plan_id = $1
       group by 1, 2, 3, 4 order by host`,
      [planId],
    ),
  /** The bytes of a plan by the plan itself, its days, the entries, its leases and their parts: all must be equal. */
  async sumsOf(planId: string): Promise<bigint[]> {
    // One statement, so that all sums come from the same snapshot, as reports may arrive meanwhile.
    const [row] = await query<Record<string, string | null>>(
      `select (select up_bytes + down_bytes from residential.plan where id = $1) as plan,
         (select sum(up_bytes + down_bytes) from residential.usage_day where plan_id = $1) as days,
         (select sum(up_bytes + down_bytes) from residential.usage_entry where plan_id = $1) as entries,
         (select sum(settled_bytes) from residential.lease where plan_id = $1) as leases,
         (select sum(p.up_bytes + p.down_bytes) from residential.lease_part p join residential.lease l on l.id = p.lease_id
          where l.plan_id = $1) as parts`,
      [planId],
    );
    return ['plan', 'days', 'entries', 'leases', 'parts'].map((name) => BigInt(row?.[name] ?? 0));
  },
  /** Sets what a plan says of its lapse. */
  async setLapsed(planId: string, bytes: bigint): Promise<void> {
    await query('update residential.plan set lapsed_bytes = $2 where id = $1', [planId, bytes.toString()]);
  },
  /** What was noted of a plan's lapse, as text, in its order. */
  lapsesOf: async (planId: string): Promise<string[]> =>
    (
      await rowsOf<{ bytes: string }>(query, 'residential.lapse', { plan_id: planId }, { columns: 'bytes::text as bytes', orderBy: 'id' })
    ).map(({ bytes }) => bytes),
  /** Sets all bytes of a plan as used. */
  async useUp(planId: string): Promise<void> {
    await query('update residential.plan set down_bytes = total_bytes where id = $1', [planId]);
  },
  /** Doubles the bytes that a plan has. */
  async double(planId: string): Promise<void> {
    await query('update residential.plan set total_bytes = 2 * total_bytes where id = $1', [planId]);
  },
  /** Adds one wrong byte to a day (`2026-01-09`) of a plan. */
  async miscountDay(planId: string, day: string): Promise<void> {
    await query('update residential.usage_day set up_bytes = up_bytes + 1 where plan_id = $1 and day = $2', [planId, day]);
  },
  /** Takes one byte off the used total of a plan. */
  async miscountTotal(planId: string): Promise<void> {
    await query('update residential.plan set down_bytes = down_bytes - 1 where id = $1', [planId]);
  },
  /** Adds a node without a usable key. `said`: its last status report. */
  addEdge: (id: string, said?: { status: EdgeStatus; at: Date }) =>
    addRow(query, 'residential.edge', {
      id,
      key_hash: `none of ${id}`,
      enrolled_at: 'now',
      status: said && JSON.stringify(said.status),
      status_at: said?.at,
    }),
  /** Adds a lease of today whose settled bytes have no parts. */
  addLease: (planId: string, edgeId: string, { grantedBytes, settledBytes }: { grantedBytes: number; settledBytes: number }) =>
    addRow(query, 'residential.lease', {
      plan_id: planId,
      edge_id: edgeId,
      day: 'now',
      credential_epoch: 1,
      granted_bytes: grantedBytes,
      settled_bytes: settledBytes,
      expires_at: 'now',
    }),
});
