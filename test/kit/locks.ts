// Who waits for a lock: how a test knows that another has come to the very place where it must wait.
import type { TestDatabase } from './database.ts';

/** Those who wait for a lock with a query that says `part`; with `holder`, the process id of a connection, for a lock of that one only. */
export const waiters = (query: TestDatabase['query'], part: string, holder?: number) =>
  query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and position($1 in query) > 0
       and ($2::int is null or $2 = any(pg_blocking_pids(pid)))`,
    [part, holder ?? null],
  );
