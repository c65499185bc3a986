// Jobs in their queue, as tests hurry, lose and count them.
import { type Query, deleteRows, rowsOf } from './tables.ts';

export const jobRows = (query: Query) => ({
  /** Those that failed wait by the time of the machine; now they are due at once. Returns how many. */
  async hurry(): Promise<number> {
    return (await query(`update pgboss.job set start_after = now() where state = 'retry' returning id`)).length;
  },
  /** When a job of this name is begun by itself. */
  schedulesOf: (name: string) =>
    rowsOf<{ cron: string; options: object }>(query, 'pgboss.schedule', { name }, { columns: 'cron, options' }),
  /** Jobs of this name are lost, done or not. */
  lose: (name: string) => deleteRows(query, 'pgboss.job', { name }),
  /** Jobs of this name that are not done. */
  unfinished: (name: string) => query<{ id: string }>(`select id from pgboss.job where name = $1 and state <> 'completed'`, [name]),
});
