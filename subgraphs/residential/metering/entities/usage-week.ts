// The weekly partitions of the ledger: made before anything is written to them, dropped when their entries are beyond the retention.
import { DAY, after } from '#platform/clock.ts';
import { type EntityManager, runStatement } from '#platform/database.ts';

/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY;
const weekOf = (at: Date): number => Math.floor((at.getTime() - FIRST_MONDAY_MS) / (7 * DAY));

/** Weeks that are known to exist, by database driver. */
const seen = new WeakMap<object, Set<number>>();

/** Makes the partitions for these moments where they are missing, outside of the caller's transaction: a partition stays even when the entries are rolled back. */
export async function needWeeks(em: EntityManager, moments: readonly Date[]): Promise<void> {
  const known = seen.get(em.getDriver()) ?? new Set<number>();
  seen.set(em.getDriver(), known);
  const needed = new Map(moments.map((at) => [weekOf(at), at]));
  for (const [week, at] of needed) {
    if (known.has(week)) continue;
    await runStatement(em.fork(), 'select residential.make_usage_week($1)', [at.toISOString()]);
    known.add(week);
  }
}

/** Drops partitions of weeks that ended at `moment` or before. Returns how many. */
export async function dropWeeks(em: EntityManager, moment: Date): Promise<number> {
  seen.delete(em.getDriver());
  const [row] = await runStatement<{ dropped: number }>(em, 'select residential.drop_usage_weeks($1) as dropped', [moment.toISOString()]);
  return row?.dropped ?? 0;
}

/** The first day from which on the ledger has every entry; undefined while there is no partition. */
export async function firstDayOfLedger(em: EntityManager): Promise<string | undefined> {
  const [row] = await runStatement<{ day: string | null }>(
    em,
    `select to_char(min(monday), 'YYYY-MM-DD') as day from residential.usage_week`,
  );
  return row?.day ?? undefined;
}

/** Moments in this week and the two after it, whose partitions should exist. */
export const comingWeeks = (now: Date): Date[] => [0, 7, 14].map((days) => after(now, days * DAY));
