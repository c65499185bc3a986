// Automatic top-ups: for a plan that falls below the set rest one order is asked of accounts, whose answer comes as an event.
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { formatMoney } from '#commerce/money.ts';
import { signOffer } from '#commerce/offers.ts';
import { type AutoTopUp, type AutoTopUpEnd, ask, isDue, nextMonth, takenBack } from '../domain/auto-top-up.ts';
import { type Plan, remainingBytes } from '../domain/plan.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { type Ending, isLapsed } from '../domain/validity.ts';
import { autoTopUpOf, plansDueForTopUp, saveAutoTopUp } from '../entities/auto-top-up.ts';
import { lockPlans, lockedPlan, plansById } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { priceVolume } from './price-package.ts';
import { readPlan } from './read-plans.ts';

type Watched = Pick<Plan, 'id' | 'totalBytes' | 'upBytes' | 'downBytes' | 'topUpLeftBytes'> & Ending;

/** After a change of use, asks for orders for the plans that have fallen below their set rest. The plans must be locked, with their present figures. */
export async function topUpLow(ctx: Context, plans: readonly Watched[]): Promise<void> {
  for (const plan of plans) if (plan.topUpLeftBytes !== null && isBelow(plan, plan.topUpLeftBytes)) await askForTopUp(ctx, plan.id);
}

/** Only use asks for a top-up: nothing is bought for a plan that was withdrawn or has lapsed. */
const isBelow = (plan: Watched, leftBytes: bigint): boolean => !plan.withdrawn && !isLapsed(plan) && remainingBytes(plan) < leftBytes;

/** Checks plans again whose pause or month is over: for a plan that is used up no report may come any more. */
export async function topUpDue(ctx: Context): Promise<void> {
  for (const id of await plansDueForTopUp(ctx.em, ctx.clock.now(), BATCH_SIZE))
    await inTransaction(ctx, async (tx) => {
      await lockPlans(tx.em, [id]);
      const rule = await autoTopUpOf(tx.em, id);
      if (!rule || !isDue(rule, tx.clock.now())) return;
      await saveAutoTopUp(tx.em, { ...rule, nextAt: null });
      await askForTopUp(tx, id);
    });
}

const BATCH_SIZE = 200;
/** How long the offer is valid: accounts may be down for a while. */
const OFFER_MS = DAY;

/** Asks for an order, unless the plan is above its rest or its rule waits. The plan must be locked. */
async function askForTopUp(ctx: Context, planId: string): Promise<void> {
  const { em, clock, providers } = ctx;
  const rule = await autoTopUpOf(em, planId);
  const [plan] = await plansById(em, [planId], clock.now());
  const now = clock.now();
  if (!rule || !plan || !isDue(rule, now) || !isBelow(plan, rule.leftBytes)) return;
  // A suspended or frozen plan is checked again after the rule's pause.
  if (plan.accountSuspended) return saveAutoTopUp(em, { ...rule, nextAt: after(now, rule.pauseMinutes * MINUTE) });
  if (!providers.products[plan.product].sold) return endAutoTopUp(ctx, plan, rule, 'NOT_SOLD');
  const { title, currency, isAsked } = await requestOrder(ctx, plan, rule, rule.gigabytes);
  if (isAsked) return;
  await saveAutoTopUp(em, { ...rule, nextAt: nextMonth(now) });
  const ceiling = formatMoney({ amountMinor: rule.ceilingMinor, currency });
  const about = { at: now, accountId: plan.accountId, subject: planId };
  await appendEvents(em, { type: 'residential_plan.top_up_held', ...about, data: { planId, title, ceiling } });
}

/**
 * Asks accounts for one order of so many GB, unless the ceiling of the month leaves no room for it. The plan must be locked. Errors: quantity_invalid, not_sold.
 */
async function requestOrder(
  ctx: Context,
  { id: planId, accountId, product: code, orderId }: Plan,
  rule: AutoTopUp,
  gigabytes: number,
): Promise<{ title: string; currency: string; isAsked: boolean }> {
  const { em, clock, providers } = ctx;
  const terms = await priceVolume(ctx, { accountId, code, gigabytes, planId, validMs: OFFER_MS });
  const { id: requestId, title, currency } = terms;
  const asked = ask(rule, terms, clock.now());
  if (!asked) return { title, currency, isAsked: false };
  await saveAutoTopUp(em, asked);
  const data = { planId, requestId, orderId, offer: signOffer(terms, providers.secrets.offers) };
  await appendEvents(em, { type: 'residential_plan.top_up_asked', at: clock.now(), accountId, subject: planId, data });
  return { title, currency, isAsked: true };
}

/**
 * Buys so many GB for a plan now, whatever is left of it, by the rule of its automatic top-ups: paid as they are, within their ceiling, and not before their pause is
 * over, so that a call that is repeated buys once. Errors: plan_not_found, action_not_allowed, not_sold, quantity_invalid.
 */
export const topUpNow = (ctx: Context, id: string, gigabytes: number): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const { em, clock } = tx;
    await lockedPlan(em, ownerOf(ctx, id), id);
    const plan = await readPlan(tx, id);
    const rule = await autoTopUpOf(em, id);
    requireAction('top_up', plan, tx.providers.products[plan.product]);
    if (!rule?.enabled) throw fail('action_not_allowed', { reason: because('top_up_needs_rule') });
    if (rule.request) throw fail('action_not_allowed', { reason: because('top_up_is_bought') });
    if (!isDue(rule, clock.now()))
      throw fail('action_not_allowed', { reason: because('top_up_waits', { until: rule.nextAt?.toISOString() ?? '' }) });
    const { currency, isAsked } = await requestOrder(tx, plan, rule, gigabytes);
    if (!isAsked) {
      const ceiling = formatMoney({ amountMinor: rule.ceilingMinor, currency });
      throw fail('action_not_allowed', { reason: because('top_up_over_ceiling', { ceiling }) });
    }
    await notifyFiguresChanged(em, plan);
    return readPlan(tx, id);
  });

/** Switches automatic top-ups off, since the plan has lapsed, in the transaction of `em`, which has locked the plan. What was asked for already is not delivered. */
export async function endWithPlan({ em }: Pick<Context, 'em'>, planId: string): Promise<void> {
  const rule = await autoTopUpOf(em, planId);
  if (rule?.enabled) await saveAutoTopUp(em, { ...rule, enabled: false, off: null, nextAt: null });
}

/** Switches automatic top-ups off and lets the owner be told by mail, in the transaction of `ctx.em`, which has locked the plan. `words`: the bank's own text. */
async function endAutoTopUp(ctx: Context, plan: Plan, rule: AutoTopUp, off: AutoTopUpEnd, words?: string): Promise<void> {
  await saveAutoTopUp(ctx.em, { ...rule, enabled: false, off, nextAt: null });
  const title = ctx.providers.products[plan.product].name;
  const data = { planId: plan.id, title, why: off, ...(words !== undefined && { words }) };
  const { accountId, id: subject } = plan;
  await appendEvents(ctx.em, { type: 'residential_plan.top_up_stopped', at: ctx.clock.now(), accountId, subject, data });
  await notifyFiguresChanged(ctx.em, plan);
}

/** Reaction to `top_up.declined`: nothing was bought. Unless the reason is passing, automatic top-ups are switched off. */
export async function hearDeclined(ctx: Context, { data }: EventOf<'top_up.declined'>): Promise<void> {
  const found = await answered(ctx, data);
  if (!found) return;
  const rule = takenBack(found.rule);
  if (data.why === 'PASSING') await saveAutoTopUp(ctx.em, rule);
  else await endAutoTopUp(ctx, found.plan, rule, data.why, data.words);
}

/** Reaction to `order.cancelled` and `order.expired`: the order that was asked for will not be paid. */
export async function hearGivenUp(ctx: Context, { data }: EventOf<'order.cancelled' | 'order.expired' | 'order.refunded'>): Promise<void> {
  if (data.seller !== 'residential') return;
  const { planId, requestId } = data.fulfil ?? {};
  if (typeof planId !== 'string' || typeof requestId !== 'string') return;
  const found = await answered(ctx, { planId, requestId });
  if (found) await saveAutoTopUp(ctx.em, takenBack(found.rule));
}

/** Notes that the order that was asked for is delivered, in the transaction of `ctx.em`, which has locked the plan. */
export async function noteBought(ctx: Context, planId: string, requestId: string): Promise<void> {
  const rule = await autoTopUpOf(ctx.em, planId);
  if (rule?.request?.id === requestId) await saveAutoTopUp(ctx.em, { ...rule, request: null });
}

/** The plan, locked, and its rule, if the rule still waits for the answer to this request. */
async function answered(
  ctx: Context,
  { planId, requestId }: { planId: string; requestId: string },
): Promise<{ plan: Plan; rule: AutoTopUp } | undefined> {
  await lockPlans(ctx.em, [planId]);
  const rule = await autoTopUpOf(ctx.em, planId);
  const [plan] = await plansById(ctx.em, [planId], ctx.clock.now());
  return plan && rule?.request?.id === requestId ? { plan, rule } : undefined;
}
