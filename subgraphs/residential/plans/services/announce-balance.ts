// Events that tell a package runs out, once per mark, and that this is over. A report that passes several marks at once tells the highest.
import { CompiledQuery } from 'kysely';
import { GB } from '#platform/data-size.ts';
import { appendEvents } from '#platform/events.ts';
import { reachedMark } from '../domain/low-balance.ts';
import type { Plan } from '../domain/plan.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { plansById } from '../entities/plan.ts';
import type { Context } from '../../providers.ts';

type ToldPlan = Pick<Plan, 'id' | 'totalBytes' | 'upBytes' | 'downBytes' | 'toldPercent'>;

const TOLD = `update residential.plan p set told_percent = t.percent, low_balance = t.percent > p.told_percent
  from unnest($1::text[], $2::smallint[]) as t(id, percent) where p.id = t.id`;

/** Plans are locked, and as they are now. */
export async function announceBalance({ em, clock, providers }: Context, plans: readonly ToldPlan[]): Promise<void> {
  const passed = plans.filter((plan) => reachedMark(plan) !== plan.toldPercent);
  if (passed.length === 0) return;
  await em.getKysely().executeQuery(CompiledQuery.raw(TOLD, [passed.map(({ id }) => id), passed.map(reachedMark)]));
  const before = new Map(passed.map(({ id, toldPercent }) => [id, toldPercent]));
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

/** In the order of ids, as reports lock plans. */
const RESOLVE = `
  update residential.plan set low_balance = false where id in (
    select id from residential.plan where account_id = $1 and product = $2 and low_balance order by id for no key update
  ) returning id, told_percent`;

/** A new package of a product: those of the account that ran out trouble nobody any more. */
export async function resolveBalances({ em, clock }: Context, accountId: string, product: ProductCode, newPlanId: string): Promise<void> {
  const { rows } = await em
    .getKysely()
    .executeQuery<{ id: string; told_percent: number }>(CompiledQuery.raw(RESOLVE, [accountId, product]));
  await appendEvents(
    em,
    ...rows.map(({ id, told_percent }) => ({
      type: 'residential_plan.balance_resolved' as const,
      at: clock.now(),
      accountId,
      subject: id,
      data: { planId: id, percent: told_percent, newPlanId },
    })),
  );
}
