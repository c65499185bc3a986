// Events that announce that a package runs out, once per mark, and that this is over. A report that passes several marks announces the highest.
import { GB } from '#platform/data-size.ts';
import { appendEvents } from '#platform/events.ts';
import { reachedMark } from '../domain/low-balance.ts';
import type { Plan } from '../domain/plan.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { plansById, resolveLowBalances, saveNotifiedMarks } from '../entities/plan.ts';
import type { Context } from '../context.ts';

type NotifiedPlan = Pick<Plan, 'id' | 'totalBytes' | 'upBytes' | 'downBytes' | 'notifiedPercent' | 'withdrawn'>;

/** Plans are locked, and as they are now. */
export async function announceBalance({ em, clock, providers }: Context, plans: readonly NotifiedPlan[]): Promise<void> {
  // Whoever lost a plan was told of that, and not that it ran out.
  const passed = plans.filter((plan) => !plan.withdrawn && reachedMark(plan) !== plan.notifiedPercent);
  if (passed.length === 0) return;
  await saveNotifiedMarks(
    em,
    passed.map((plan) => ({ id: plan.id, percent: reachedMark(plan) })),
  );
  const before = new Map(passed.map(({ id, notifiedPercent }) => [id, notifiedPercent]));
  const now = await plansById(em, [...before.keys()], clock.now());
  const events = now.map((plan) => {
    const percent = reachedMark(plan);
    // More bytes than before: a package that grew.
    const { id: planId, accountId } = plan;
    const about = { at: clock.now(), accountId, subject: planId };
    if (percent < (before.get(planId) ?? 0))
      return { type: 'residential_plan.balance_resolved' as const, ...about, data: { planId, percent } };
    const title = `${providers.products[plan.product].name}, ${plan.totalBytes / GB} GB`;
    return { type: 'residential_plan.balance_low' as const, ...about, data: { planId, percent, title } };
  });
  await appendEvents(em, ...events);
}

/** A new package of a product: those of the account that ran out trouble nobody any more. */
export async function resolveBalances({ em, clock }: Context, accountId: string, product: ProductCode, newPlanId: string): Promise<void> {
  const resolved = await resolveLowBalances(em, accountId, product);
  await appendEvents(
    em,
    ...resolved.map(({ id, notifiedPercent }) => ({
      type: 'residential_plan.balance_resolved' as const,
      at: clock.now(),
      accountId,
      subject: id,
      data: { planId: id, percent: notifiedPercent, newPlanId },
    })),
  );
}
