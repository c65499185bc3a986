import DataLoader from 'dataloader';
import { maySee } from '#platform/context.ts';
import type { Context } from '../context.ts';
import type { Plan } from '../domain/plan.ts';
import { plansById } from '../entities/plan.ts';

type Loader = DataLoader<string, Plan | undefined>;

const loaders = new WeakMap<Context, Loader>();

const loaderOf = (ctx: Context): Loader =>
  new DataLoader(async (ids) => {
    const plans = new Map((await plansById(ctx.em, ids, ctx.clock.now())).map((plan) => [plan.id, plan]));
    return ids.map((id) => {
      const plan = plans.get(id);
      return plan && maySee(ctx.viewer, plan.accountId, plan.id) ? plan : undefined;
    });
  });

/** A plan by its id, for references from other subgraphs; plans of one call are loaded together. Undefined when the viewer may not see it. */
export function visiblePlan(ctx: Context, id: string): Promise<Plan | undefined> {
  const loader = loaders.get(ctx) ?? loaderOf(ctx);
  loaders.set(ctx, loader);
  return loader.load(id);
}
