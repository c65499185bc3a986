// Appends events when a package runs out, once for each mark, and when this is over. A report that passes several marks of a kind announces only the last.
import { GB } from '#platform/data-size.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { percentUsed, reachedLeft, reachedMark } from '../domain/low-balance.ts';
import type { Plan } from '../domain/plan.ts';
import { type Ending, isLapsed } from '../domain/validity.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { plansById } from '../entities/plan.ts';
import { resolveLowBalances, saveNotifiedMarks } from '../entities/low-balance.ts';
import type { Context } from '../context.ts';

type NotifiedPlan = Pick<Plan, 'id' | 'totalBytes' | 'upBytes' | 'downBytes' | keyof Told | 'alertPercents' | 'alertLeftBytes'> & Ending;
/** The marks that its owner was last notified of. */
type Told = Pick<Plan, 'notifiedPercent' | 'notifiedLeftBytes'>;

/** Appends the events of plans that have passed a mark. The plans must be locked, with their present figures. */
export async function announceBalance(ctx: Context, plans: readonly NotifiedPlan[]): Promise<void> {
  const { em, clock } = ctx;
  // The owner of a plan that was withdrawn or has lapsed was notified of that, and is not told that it ran out.
  const passed = plans.filter(
    (plan) =>
      !plan.withdrawn && !isLapsed(plan) && (reachedMark(plan) !== plan.notifiedPercent || reachedLeft(plan) !== plan.notifiedLeftBytes),
  );
  if (passed.length === 0) return;
  await saveNotifiedMarks(
    em,
    passed.map((plan) => ({ id: plan.id, percent: reachedMark(plan), leftBytes: reachedLeft(plan) })),
  );
  const before = new Map<string, Told>(passed.map((plan) => [plan.id, plan]));
  const now = await plansById(em, [...before.keys()], clock.now());
  await appendEvents(em, ...now.flatMap((plan) => eventsOf(ctx, plan, before.get(plan.id) ?? plan)));
}

/** How events and mails name a plan: `Premium, 10 GB`. */
export const titleOf = ({ providers }: Pick<Context, 'providers'>, { product, totalBytes }: Pick<Plan, 'product' | 'totalBytes'>): string =>
  `${providers.products[product].name}, ${totalBytes / GB} GB`;

function eventsOf(ctx: Context, plan: Plan, before: Told): NewEvent[] {
  const { id: planId, accountId } = plan;
  const [percent, left] = [reachedMark(plan), reachedLeft(plan)];
  const about = { at: ctx.clock.now(), accountId, subject: planId };
  const title = titleOf(ctx, plan);
  const low = (data: { percent: number; leftBytes?: string }): NewEvent => ({
    type: 'residential_plan.balance_low',
    ...about,
    data: { planId, title, ...data },
  });
  const isLower = left !== null && (before.notifiedLeftBytes === null || left < before.notifiedLeftBytes);
  // The balance is higher than at the last notice, since the package grew.
  const isOver =
    percent < before.notifiedPercent || (percent === before.notifiedPercent && left === null && before.notifiedLeftBytes !== null);
  return [
    ...(percent > before.notifiedPercent ? [low({ percent })] : []),
    // An owner who is told that nothing is left is not also told how much is left.
    ...(isLower && percent < 100 ? [low({ percent: percentUsed(plan), leftBytes: left.toString() })] : []),
    ...(isOver ? [{ type: 'residential_plan.balance_resolved' as const, ...about, data: { planId, percent } }] : []),
  ];
}

/** When an account gets a new package of a product, its packages of this product that ran out count as resolved. */
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
