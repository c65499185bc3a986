// The Pothos builder, and what one call loads together.
import DataLoader from 'dataloader';
import { maySee } from '#platform/context.ts';
import { addDataScalars, createBuilder } from '#platform/schema-builder.ts';
import type { Plan } from './plans/domain/plan.ts';
import { plansById } from './plans/entities/plan.ts';
import { type UsageDay, daysOfPlans } from './metering/entities/usage-day.ts';
import type { Context } from './providers.ts';

export const builder = createBuilder<Context>();
addDataScalars(builder);
builder.queryType();
builder.mutationType();
builder.subscriptionType();

interface Loaders {
  /** Plans that the viewer may see; undefined for others. */
  plan: DataLoader<string, Plan | undefined>;
  /** First and last day -> plan -> days. */
  days: Map<string, DataLoader<string, Map<string, UsageDay>>>;
}

const loaders = new WeakMap<Context, Loaders>();

function loadersOf(ctx: Context): Loaders {
  const known = loaders.get(ctx);
  if (known) return known;
  const made: Loaders = {
    plan: new DataLoader(async (ids) => {
      const plans = new Map((await plansById(ctx.em, ids, ctx.clock.now())).map((plan) => [plan.id, plan]));
      return ids.map((id) => {
        const plan = plans.get(id);
        return plan && maySee(ctx.viewer, plan.accountId) ? plan : undefined;
      });
    }),
    days: new Map(),
  };
  loaders.set(ctx, made);
  return made;
}

/** A plan by id, whoever asks: for references from other subgraphs. Undefined when the viewer may not see it. */
export const visiblePlan = (ctx: Context, id: string): Promise<Plan | undefined> => loadersOf(ctx).plan.load(id);

/** Day -> use of a plan, from `first` to `last`; days without use are absent. */
export function usageDays(ctx: Context, planId: string, first: string, last: string): Promise<Map<string, UsageDay>> {
  const { days } = loadersOf(ctx);
  const span = `${first} ${last}`;
  const loader =
    days.get(span) ??
    new DataLoader<string, Map<string, UsageDay>>(async (ids) => {
      const plans = await daysOfPlans(ctx.em, ids, first, last);
      return ids.map((id) => plans.get(id) ?? new Map());
    });
  days.set(span, loader);
  return loader.load(planId);
}
