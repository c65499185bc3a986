import DataLoader from 'dataloader';
import type { Context } from '../context.ts';
import { type UsageDay, daysOfPlans } from '../entities/usage-day.ts';

type Loader = DataLoader<string, Map<string, UsageDay>>;

/** Loaders by "first last" day, for each call. */
const loaders = new WeakMap<Context, Map<string, Loader>>();

const loaderOf = (ctx: Context, first: string, last: string): Loader =>
  new DataLoader(async (ids) => {
    const plans = await daysOfPlans(ctx.em, ids, first, last);
    return ids.map((id) => plans.get(id) ?? new Map());
  });

/** Returns day -> use of a plan from `first` to `last`. Plans of one call are loaded together; days without use are absent. */
export function usageDays(ctx: Context, planId: string, first: string, last: string): Promise<Map<string, UsageDay>> {
  const ofCall = loaders.get(ctx) ?? new Map<string, Loader>();
  loaders.set(ctx, ofCall);
  const span = `${first} ${last}`;
  const loader = ofCall.get(span) ?? loaderOf(ctx, first, last);
  ofCall.set(span, loader);
  return loader.load(planId);
}
