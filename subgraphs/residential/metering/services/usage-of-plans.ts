// What an account's plans used together, by whole UTC days.
import { DAY, lastDays } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { periodOfDays } from '#platform/day-period.ts';
import { because, fail } from '#platform/errors.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { readPlans } from '../../plans/services/read-plans.ts';
import type { Context } from '../context.ts';
import type { UsageSpan } from '../domain/usage-span.ts';
import type { UsageDimension } from '../entities/usage-breakdown.ts';
import { type UsageDay, daysTogether } from '../entities/usage-day.ts';
import { type UsageMark, marksOf } from '../entities/usage-mark.ts';
import { type UsageBreakdown, type UsageHour, hoursIn, sharesOf } from './explain-usage.ts';

export interface UsageOfPlans {
  plans: readonly Plan[];
  span: UsageSpan;
  /** Read once, when they are first asked for: files ask for no days. */
  days(): Promise<TwoSpans>;
}

export interface TwoSpans {
  /** Ascending, zero-filled. */
  within: UsageDay[];
  /** As many days just before. */
  before: UsageDay[];
}

export interface PlansAndDays {
  from: string;
  to: string;
  planIds?: readonly string[] | null | undefined;
  products?: readonly ProductCode[] | null | undefined;
}

const MAX_DAYS = 366;
/** Hours are read of the ledger's single entries. */
const MAX_DAYS_BY_HOUR = 7;

/** Reads the caller's plans that are named, or all of them, without those of other products. Errors: plan_not_found, parameter_invalid. */
export async function usageOfPlans(ctx: Context, { from, to, planIds, products }: PlansAndDays): Promise<UsageOfPlans> {
  const period = periodOfDays(from, to);
  const span = { from: period.from, to: period.until };
  const count = lengthOf(span);
  if (count > MAX_DAYS) throw fail('parameter_invalid', { field: 'from', reason: because('usage_span_too_long', { max: MAX_DAYS }) });
  const own = await readPlans(ctx);
  const named = planIds && new Set(planIds);
  const plans = own.filter((plan) => (!named || named.has(plan.id)) && (!products || products.includes(plan.product)));
  if (named && own.filter(({ id }) => named.has(id)).length < named.size) throw fail('plan_not_found', { field: 'planIds' });
  const readDays = async (): Promise<TwoSpans> => {
    const days = lastDays(new Date(to), 2 * count);
    const used = await daysTogether(
      ctx.em,
      plans.map(({ id }) => id),
      days[0] ?? from,
      to,
    );
    const all = days.map((on) => used.get(on) ?? { on, upBytes: 0n, downBytes: 0n });
    return { within: all.slice(count), before: all.slice(0, count) };
  };
  let read: Promise<TwoSpans> | undefined;
  return { plans, span, days: () => (read ??= readDays()) };
}

const lengthOf = ({ from, to }: UsageSpan): number => (to.getTime() - from.getTime()) / DAY;

/** Ascending, zero-filled. Throws `parameter_invalid` for more than 7 days. */
export async function usageByHour(ctx: Context, { plans, span }: UsageOfPlans): Promise<UsageHour[]> {
  if (lengthOf(span) > MAX_DAYS_BY_HOUR)
    throw fail('parameter_invalid', { field: 'from', reason: because('usage_span_too_long', { max: MAX_DAYS_BY_HOUR }) });
  return hoursIn(ctx, plans, span);
}

/** Throws `parameter_invalid`. */
export const breakDownTogether = async (
  ctx: Context,
  { plans, span }: UsageOfPlans,
  args: { by: UsageDimension; limit: number },
): Promise<UsageBreakdown> => ({ accountId: accountOf(ctx), ...(await sharesOf(ctx, plans, { ...args, span })) });

const MAX_MARKS = 200;

/** What changed how the plans are used, ascending; the latest 200. */
export const marksOfPlans = ({ em }: Context, { plans, span }: UsageOfPlans): Promise<UsageMark[]> =>
  marksOf(
    em,
    plans.map(({ id }) => id),
    span,
    MAX_MARKS,
  );
