// Events that announce that a package runs out, once per mark, and that this is over. A report that passes several marks of a kind announces the last.
import { GB } from '#platform/data-size.ts';
import { type NewEvent, appendEvents } from '#platform/events.ts';
import { percentUsed, reachedLeft, reachedMark } from '../domain/low-balance.ts';
import type { Plan } from '../domain/plan.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { plansById } from '../entities/plan.ts';
import { resolveLowBalances, saveNotifiedMarks } from '../entities/low-balance.ts';
import type { Context } from '../context.ts';

type NotifiedPlan = Pick<
  Plan,
  'id' | 'totalBytes' | 'upBytes' | 'downBytes' | 'withdrawn' | keyof Told | 'alertPercents' | 'alertLeftBytes'
>;
/** What its owner was told of last. */
type Told = Pick<Plan, 'notifiedPercent' | 'notifiedLeftBytes'>;

/** Plans are locked, and as they are now. */
export async function announceBalance(ctx: Context, plans: readonly NotifiedPlan[]): Promise<void> {
  const { em, clock } = ctx;
  // Whoever lost a plan was told of that, and not that it ran out.
  const passed = plans.filter(
    (plan) => !plan.withdrawn && (reachedMark(plan) !== plan.notifiedPercent || reachedLeft(plan) !== plan.notifiedLeftBytes),
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

function eventsOf({ clock, providers }: Context, plan: Plan, before: Told): NewEvent[] {
  const { id: planId, accountId } = plan;
  const [percent, left] = [reachedMark(plan), reachedLeft(plan)];
  const about = { at: clock.now(), accountId, subject: planId };
  const title = `${providers.products[plan.product].name}, ${plan.totalBytes / GB} GB`;
  const low = (data: { percent: number; leftBytes?: string }): NewEvent => ({
    type: 'residential_plan.balance_low',
    ...about,
    data: { planId, title, ...data },
  });
  const isLower = left !== null && (before.notifiedLeftBytes === null || left < before.notifiedLeftBytes);
  // More bytes than before: a package that grew.
  const isOver =
    percent < before.notifiedPercent || (percent === before.notifiedPercent && left === null && before.notifiedLeftBytes !== null);
  return [
    ...(percent > before.notifiedPercent ? [low({ percent })] : []),
    // Who hears that nothing is left need not hear how much is.
    ...(isLower && percent < 100 ? [low({ percent: percentUsed(plan), leftBytes: left.toString() })] : []),
    ...(isOver ? [{ type: 'residential_plan.balance_resolved' as const, ...about, data: { planId, percent } }] : []),
  ];
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
