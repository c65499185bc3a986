// Finds connections that wait for a lock, so that a test knows when another transaction is blocked.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { TestDatabase } from './database.ts';

/** Connections that wait for a lock in a query that contains `part`. `holder`: only for a lock of the connection with this process id. */
export const waiters = (query: TestDatabase['query'], part: string, holder?: number) =>
  query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0
       and ($2::int is null or $2 = any(pg_blocking_pids(pid)))`,
    [part, holder ?? null],
  );

/** Takes the one advisory lock that all transactions of a test share, and holds it until the transaction ends. */
export async function takeLock(em: EntityManager): Promise<void> {
  await runStatement(em, 'select pg_advisory_xact_lock(1)');
}
