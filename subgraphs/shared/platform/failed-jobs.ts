// A subgraph's failed jobs, for the support desk: those that were given up and those that wait for a retry. Staff can retry one of them at once.
import { sql } from 'kysely';
import type { EntityManager } from './database.ts';

export const FAILED_JOB_STATES = ['GIVEN_UP', 'RETRYING'] as const;
export type FailedJobState = (typeof FAILED_JOB_STATES)[number];

export interface FailedJob {
  id: string;
  /** `subgraph.resource-verb`. */
  job: string;
  state: FailedJobState;
  /** How often it was run. */
  tries: number;
  error: string | null;
  /** The job's data: ids and addresses, as JSON. */
  given: string;
  createdAt: Date;
  failedAt: Date | null;
  /** Null: it was given up. */
  nextTryAt: Date | null;
}

const MAX_LISTED = 200;
const MAX_TEXT = 1_000;

// pg-boss stores the error of a failed job in `output`: an error's message, or any other thrown value as `value`. It stores no time of failure for a job that
// waits for its retry, so `failedAt` is then the start of the last try.
const COLUMNS = sql`id::text, name as job, case when state = 'failed' then 'GIVEN_UP' else 'RETRYING' end as state,
  retry_count + 1 as tries,
  left(coalesce(output->>'message', output->>'value', output::text), ${MAX_TEXT}) as error, left(coalesce(data, '{}')::text, ${MAX_TEXT}) as given,
  created_on as "createdAt", coalesce(completed_on, started_on) as "failedAt", case when state = 'retry' then start_after end as "nextTryAt"`;

const fromRow = ({ createdAt, failedAt, nextTryAt, ...row }: FailedJob): FailedJob => ({
  ...row,
  createdAt: new Date(createdAt),
  failedAt: failedAt && new Date(failedAt),
  nextTryAt: nextTryAt && new Date(nextTryAt),
});

/** The failed jobs of the subgraph of this name, the last failure first, at most 200. pg-boss deletes jobs that were given up after a week. */
export async function failedJobs(em: EntityManager, subgraph: string): Promise<FailedJob[]> {
  const { rows } = await sql<FailedJob>`
    select ${COLUMNS} from pgboss.job where state in ('failed', 'retry') and starts_with(name, ${`${subgraph}.`})
    order by coalesce(completed_on, started_on) desc nulls last, id limit ${MAX_LISTED}`.execute(em.getKysely());
  return rows.map(fromRow);
}

/**
 * Makes one failed job due now, with one more try than it had left. Returns the job as it was before; undefined when the subgraph has no failed job with this
 * id. A worker finds it within two seconds.
 */
export async function tryJobAgain(em: EntityManager, subgraph: string, id: string): Promise<FailedJob | undefined> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return undefined;
  const { rows } = await sql<FailedJob>`
    with failed as (
      select ${COLUMNS} from pgboss.job where id = ${id}::uuid and state in ('failed', 'retry') and starts_with(name, ${`${subgraph}.`}) for update)
    , tried as (
      update pgboss.job set state = 'retry', completed_on = null, start_after = now(), retry_limit = greatest(retry_limit, retry_count) + 1
      from failed where job.name = failed.job and job.id = failed.id::uuid)
    select * from failed`.execute(em.getKysely());
  return rows[0] && fromRow(rows[0]);
}
