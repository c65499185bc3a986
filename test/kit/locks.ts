// Who waits for a lock: how a test knows that another has come to the very place where it must wait.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { TestDatabase } from './database.ts';

/** Those who wait for a lock with a query that says `part`; with `holder`, the process id of a connection, for a lock of that one only. */
export const waiters = (query: TestDatabase['query'], part: string, holder?: number) =>
  query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0
       and ($2::int is null or $2 = any(pg_blocking_pids(pid)))`,
    [part, holder ?? null],
  );

/** The one lock that all transactions of a test can ask for, held until theirs ends. */
export async function takeLock(em: EntityManager): Promise<void> {
  await runStatement(em, 'select pg_advisory_xact_lock(1)');
}
