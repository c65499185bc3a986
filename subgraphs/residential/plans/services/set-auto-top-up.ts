import { doneBy, ownerOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { CURRENCY, formatMoney } from '#commerce/money.ts';
import { type AutoTopUp, type AutoTopUpTerms, checkAutoTopUp, monthOf } from '../domain/auto-top-up.ts';
import type { Plan } from '../domain/plan.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { autoTopUpOf, saveAutoTopUp } from '../entities/auto-top-up.ts';
import { lockedPlan } from '../entities/plan.ts';
import { notifyFiguresChanged } from '../entities/plan-figures.ts';
import type { Context } from '../context.ts';
import { topUpLow } from './auto-top-up.ts';
import { priceVolume } from './price-package.ts';
import { readPlan } from './read-plans.ts';

/**
 * Sets automatic top-ups; null switches them off, but an order that was already asked for is still bought. New settings end a pause. Errors: plan_not_found,
 * action_not_allowed, not_sold, quantity_invalid, parameter_invalid.
 */
export const setAutoTopUp = (ctx: Context, id: string, terms: AutoTopUpTerms | null): Promise<Plan> =>
  inTransaction(ctx, async (tx) => {
    const { em, clock } = tx;
    await lockedPlan(em, ownerOf(ctx, id), id);
    const plan = await readPlan(tx, id);
    const now = clock.now();
    const known = await autoTopUpOf(em, id);
    const spent = known ?? { planId: id, request: null, nextAt: null, spentMinor: 0, spentOn: monthOf(now) };
    if (ctx.viewer.kind === 'key') checkByKey(known, terms);
    if (terms) {
      const { accountId, product: code } = plan;
      requireAction('top_up', plan, tx.providers.products[code]);
      checkAutoTopUp(terms, (await priceVolume(tx, { accountId, code, gigabytes: terms.gigabytes, planId: id })).totalMinor);
      await saveAutoTopUp(em, { ...spent, ...terms, enabled: true, off: null, nextAt: spent.request ? spent.nextAt : null });
    } else if (known) await saveAutoTopUp(em, { ...known, enabled: false, off: null });
    const about = terms && { gigabytes: terms.gigabytes, ceilingMinor: terms.ceilingMinor };
    const data = { planId: id, enabled: terms !== null, ...about, ...doneBy(tx) };
    if (terms || known?.enabled)
      await appendEvents(em, { type: 'residential_plan.auto_top_up_set', at: now, accountId: plan.accountId, subject: id, data });
    await topUpLow(tx, [await readPlan(tx, id)]);
    await notifyFiguresChanged(em, plan);
    return readPlan(tx, id);
  });

/** A key may be copied: what it can spend is what the owner has agreed to when signed in. Errors: action_not_allowed, parameter_invalid. */
function checkByKey(known: AutoTopUp | undefined, terms: AutoTopUpTerms | null): void {
  if (!terms) return;
  if (!known?.enabled) throw fail('action_not_allowed', { reason: because('top_up_needs_rule') });
  if (terms.ceilingMinor > known.ceilingMinor)
    throw fail('parameter_invalid', {
      field: 'ceilingMinor',
      reason: because('auto_top_up_key_ceiling', { ceiling: formatMoney({ amountMinor: known.ceilingMinor, currency: CURRENCY }) }),
    });
}
