// The live tail of a plan's request log.
import { MINUTE, after } from '#platform/clock.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import { readPlan } from '../../plans/services/read-plans.ts';
import type { RequestEntry, RequestFilter } from '../domain/request-log.ts';
import { latestOf, requestsOf } from '../entities/request-log.ts';
import type { Context } from '../context.ts';
import { within } from './request-log.ts';

/** Of more at once the newest are shown: nobody reads on at that pace. */
const MAX_AT_ONCE = 100;
/** A node that the platform was away for tells late, and its requests are of the past. */
const LATEST_MS = 60 * MINUTE;

/** What is written into the log from now on, and fits the filter, the newest first. Throws `plan_not_found`. */
export async function watchRequests(ctx: Context, planId: string, filter: RequestFilter): Promise<AsyncIterableIterator<RequestEntry[]>> {
  await readPlan(ctx, planId);
  // It listens before it reads, so that nothing in between is missed.
  const news = liveIterator<true>((push) => ctx.providers.requestNews.watch(planId, () => push(true)), {
    key: () => 'news',
    signal: ctx.signal,
  });
  const latest = await latestOf(ctx.em, planId).catch(async (error: unknown) => {
    await news.return?.();
    throw error;
  });
  return entriesAfter(ctx, planId, filter, news, latest);
}

async function* entriesAfter(ctx: Context, planId: string, filter: RequestFilter, news: AsyncIterableIterator<true>, latest: bigint) {
  for await (const _ of news) {
    const recent = within(ctx, { ...filter, from: after(ctx.clock.now(), -LATEST_MS) });
    const entries = await requestsOf(ctx.em.fork(), planId, recent, { first: MAX_AT_ONCE, later: latest });
    if (entries.length === 0) continue;
    for (const { seq } of entries) if (seq > latest) latest = seq;
    yield entries;
  }
}
