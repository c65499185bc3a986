// What tests of residential read in its tables: the same bytes stand in plans, days, entries and leases, and must agree.
import { type Query, rowOf, rowsOf } from '../../kit/tables.ts';

interface Sum {
  up: string;
  down: string;
}

const SUM = 'coalesce(sum(up_bytes), 0) as up, coalesce(sum(down_bytes), 0) as down';

export const residentialTables = (query: Query) => ({
  /** Of all entries of a plan, as text. */
  sumOfEntries: async (planId: string): Promise<Sum> =>
    (await rowOf<Sum>(query, 'residential.usage_entry', { plan_id: planId }, { columns: SUM })) ?? { up: '0', down: '0' },
  /** Of its days. */
  sumOfDays: async (planId: string): Promise<Sum> =>
    (await rowOf<Sum>(query, 'residential.usage_day', { plan_id: planId }, { columns: SUM })) ?? { up: '0', down: '0' },
  /** What its leases have settled. */
  settledOf: async (planId: string): Promise<string> =>
    (
      await rowOf<{ settled: string }>(
        query,
        'residential.lease',
        { plan_id: planId },
        { columns: 'coalesce(sum(settled_bytes), 0) as settled' },
      )
    )?.settled ?? '0',
  /** Each day of a plan: `2026-01-09`, and its bytes. */
  daysOf: (planId: string) =>
    rowsOf<{ day: string; up_bytes: number; down_bytes: number }>(
      query,
      'residential.usage_day',
      { plan_id: planId },
      { columns: 'day::text, up_bytes::float8 as up_bytes, down_bytes::float8 as down_bytes', orderBy: 'day' },
    ),
});
