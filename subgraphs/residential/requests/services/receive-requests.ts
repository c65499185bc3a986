// Writes down what nodes tell of single requests. It locks no plan and touches no sum: metering does not wait for it.
import { HOUR, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { RequestBatch } from '../../../../edge/protocol/request-log.ts';
import { planOfSubject } from '../../../../edge/protocol/subject.ts';
import { REQUEST_LOG } from '../../../../schema/limits.ts';
import { byHour, earliestRequest, firstKeptHour, hourOf } from '../domain/request-log.ts';
import {
  addToHour,
  deleteRequests,
  entriesOfHour,
  forgetBatches,
  hoursOf,
  insertRequests,
  lockChoice,
  lockLogs,
  noteBatch,
  notifyOfRequests,
  overfullLogs,
} from '../entities/request-log.ts';
import type { Context } from '../context.ts';

/** A node that has not heard the answer sends its batch again within seconds; so long it would still count once. */
const BATCHES_KEPT_MS = 24 * HOUR;

/** A batch of a node, once. Of plans without a log nothing is kept; what is more than an hour may have counts as missed. */
export const receiveRequests = (ctx: Context, edgeId: string, batch: RequestBatch): Promise<void> =>
  inTransaction(ctx, async ({ em }) => {
    const now = ctx.clock.now();
    if (!(await noteBatch(em, edgeId, batch.id, now))) return;
    const planIds = [...new Set([...batch.requests, ...batch.gaps].map(({ subject }) => planOfSubject(subject)))];
    const hours = byHour(batch, await lockLogs(em, planIds), { now, oldest: earliestRequest(now, ctx.providers.retention) });
    for (const { planId, hour, requests, missed } of hours) {
      const room = Math.max(0, REQUEST_LOG.hour - (await entriesOfHour(em, planId, hour)));
      const fitting = requests.slice(0, room);
      if (fitting.length > 0) await insertRequests(em, planId, fitting);
      await addToHour(em, planId, hour, { entries: fitting.length, missed: missed + requests.length - fitting.length });
    }
    if (hours.length > 0) await notifyOfRequests(em, [...new Set(hours.map(({ planId }) => planId))]);
  });

/** Deletes what has been kept for its days, and the oldest hours of plans that have more than a plan may. */
export async function forgetRequests(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const oldest = hourOf(earliestRequest(now, ctx.providers.retention));
  for (const planId of await overfullLogs(ctx.em, oldest, REQUEST_LOG.plan)) {
    await inTransaction(ctx, async ({ em }) => {
      await lockChoice(em, planId);
      const first = firstKeptHour((await hoursOf(em, planId)).filter(({ hour }) => hour >= oldest));
      await deleteRequests(em, planId, first);
    });
  }
  await forgetBatches(ctx.em, after(now, -BATCHES_KEPT_MS));
}
