// Reads that explain a plan's use. The caller has read the plan for its viewer, so its owner is not checked again here.
import { HOUR, after } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { EXPLAINING, type UsageFinding, rankFindings } from '../domain/usage-explanation.ts';
import { type UsageSpan, spanBefore, toSpan } from '../domain/usage-span.ts';
import { type Breakdown, type UsageDimension, breakdownOf, growthsOf } from '../entities/usage-breakdown.ts';
import type { Context } from '../context.ts';

type GivenSpan = Parameters<typeof toSpan>[0];

/** The most rows of a breakdown. */
export const MAX_SHARES = 10_000;

export interface UsageBreakdown extends Breakdown {
  /** Whose bytes these are. */
  accountId: string;
  from: Date;
  to: Date;
}

/** Throws `parameter_invalid`. */
export async function breakDownUsage(
  ctx: Context,
  plan: Plan,
  { by, limit, ...given }: GivenSpan & { by: UsageDimension; limit: number },
): Promise<UsageBreakdown> {
  return { accountId: plan.accountId, ...(await sharesOf(ctx, [plan], { by, limit, span: toSpan(given, plan.asOf) })) };
}

/** The same of several plans together. Throws `parameter_invalid`. */
export async function sharesOf(
  { em }: Context,
  plans: readonly Plan[],
  { by, limit, span }: { by: UsageDimension; limit: number; span: UsageSpan },
): Promise<Omit<UsageBreakdown, 'accountId'>> {
  if (limit < 1 || limit > MAX_SHARES)
    throw fail('parameter_invalid', { field: 'limit', reason: because('number_out_of_range', { name: 'limit', max: MAX_SHARES }) });
  return { ...span, ...(await breakdownOf(em, plans, by, span, limit)) };
}

export interface UsageHour {
  at: Date;
  upBytes: bigint;
  downBytes: bigint;
}

const MAX_HOURS = 48;

/** Use by UTC hour, ascending, with zeros where nothing was used; the present hour is the last. Throws `parameter_invalid`. */
export async function hoursOfUse(ctx: Context, plan: Plan, last: number): Promise<UsageHour[]> {
  if (last < 1 || last > MAX_HOURS)
    throw fail('parameter_invalid', { field: 'last', reason: because('number_out_of_range', { name: 'last', max: MAX_HOURS }) });
  const present = after(plan.asOf, -(plan.asOf.getTime() % HOUR));
  return hoursIn(ctx, [plan], { from: after(present, (1 - last) * HOUR), to: after(present, HOUR) });
}

/** Use of several plans together by UTC hour, ascending, with zeros where nothing was used. The span is of whole hours. */
export async function hoursIn({ em }: Context, plans: readonly Plan[], span: UsageSpan): Promise<UsageHour[]> {
  const count = (span.to.getTime() - span.from.getTime()) / HOUR;
  const { shares } = await breakdownOf(em, plans, 'HOUR', span, count);
  const used = new Map(shares.map((share) => [share.value, share]));
  return Array.from({ length: count }, (_, index) => {
    const at = after(span.from, index * HOUR);
    const { upBytes = 0n, downBytes = 0n } = used.get(at.toISOString().replace('.000', '')) ?? {};
    return { at, upBytes, downBytes };
  });
}

export interface UsageExplanation {
  /** Whose bytes these are. */
  accountId: string;
  from: Date;
  to: Date;
  bytes: bigint;
  bytesBefore: bigint;
  findings: UsageFinding[];
}

const MAX_FINDINGS = 20;

/** Throws `parameter_invalid` for a span that is empty or has more than 90 days. */
export async function explainUsage({ em }: Context, plan: Plan, given: { from: Date; to: Date }): Promise<UsageExplanation> {
  const span = toSpan(given, plan.asOf);
  const before = spanBefore(span);
  const total = async (of: typeof span) => {
    const { others, shares } = await breakdownOf(em, [plan], 'COUNTRY', of, 1);
    return [...shares, others].reduce((sum, { upBytes, downBytes }) => sum + upBytes + downBytes, 0n);
  };
  const growths = [];
  for (const by of EXPLAINING) growths.push(...(await growthsOf(em, plan.id, by, before, span, MAX_FINDINGS)));
  return {
    ...span,
    accountId: plan.accountId,
    bytes: await total(span),
    bytesBefore: await total(before),
    findings: rankFindings(growths, MAX_FINDINGS),
  };
}
