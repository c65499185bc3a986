// The rows of the job queue: tests make jobs due, delete them and count them here.
import { type Query, deleteRows, rowsOf } from './tables.ts';

export const jobRows = (query: Query) => ({
  /** Makes jobs that wait for a retry due at once, as they wait by the machine's clock, not by the test's. Returns how many. */
  async hurry(): Promise<number> {
    return (await query(`update pgboss.job set start_after = now() where state = 'retry' returning id`)).length;
  },
  /** The cron schedules of the job of this name. */
  schedulesOf: (name: string) =>
    rowsOf<{ cron: string; options: object }>(query, 'pgboss.schedule', { name }, { columns: 'cron, options' }),
  /** Deletes all jobs of this name, done or not. */
  lose: (name: string) => deleteRows(query, 'pgboss.job', { name }),
  /** Jobs of this name that are not done. */
  unfinished: (name: string) => query<{ id: string }>(`select id from pgboss.job where name = $1 and state <> 'completed'`, [name]),
});
