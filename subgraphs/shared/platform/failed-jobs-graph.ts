// A subgraph's failed jobs in the graph: one shareable type for all subgraphs. All must declare it alike, or the graph does not compose.
import type { Context } from './context.ts';
import { inTransaction } from './database.ts';
import { fail } from './errors.ts';
import { FAILED_JOB_STATES, type FailedJob as FailedJobEntity, failedJobs, tryJobAgain } from './failed-jobs.ts';
import type { createBuilder } from './schema-builder.ts';

/** The names of the two fields, given as literals, so that a search finds them. */
export interface FailedJobFields {
  list: string;
  again: string;
}

/** Declares the type FailedJob of the builder's subgraph, the query `list` and the mutation `again`. Call it once per builder. Errors: job_not_found. */
export function declareFailedJobs<Ctx extends Context>(
  builder: ReturnType<typeof createBuilder<Ctx>>,
  subgraph: string,
  { list, again }: FailedJobFields,
): void {
  const FailedJobState = builder.enumType('FailedJobState', { values: FAILED_JOB_STATES });
  const FailedJob = builder.objectRef<FailedJobEntity>('FailedJob').implement({
    shareable: true,
    fields: (t) => ({
      id: t.exposeID('id'),
      job: t.exposeString('job'),
      state: t.expose('state', { type: FailedJobState }),
      tries: t.exposeInt('tries'),
      error: t.exposeString('error', { nullable: true }),
      given: t.exposeString('given'),
      createdAt: t.expose('createdAt', { type: 'DateTime' }),
      failedAt: t.expose('failedAt', { type: 'DateTime', nullable: true }),
      nextTryAt: t.expose('nextTryAt', { type: 'DateTime', nullable: true }),
    }),
  });
  builder.queryField(list, (t) =>
    t.field({
      type: [FailedJob],
      authScopes: { staff: 'events' },
      resolve: (_root: unknown, _args: object, { em }: Ctx) => failedJobs(em, subgraph) as never,
    }),
  );
  const tryAgain = (ctx: Ctx, id: string): Promise<FailedJobEntity> =>
    inTransaction(ctx, async ({ em }) => {
      const job = await tryJobAgain(em, subgraph, id);
      if (!job) throw fail('job_not_found');
      return job;
    });
  builder.mutationField(again, (t) =>
    t.field({
      type: FailedJob,
      authScopes: { staff: 'events' },
      args: { id: t.arg.id({ required: true }) },
      resolve: (_root: unknown, { id }: { id: string }, ctx: Ctx) => tryAgain(ctx, id) as never,
    }),
  );
}
