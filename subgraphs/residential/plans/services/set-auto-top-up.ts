import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { type AutoTopUpTerms, checkAutoTopUp, monthOf } from '../domain/auto-top-up.ts';
import type { Plan } from '../domain/plan.ts';
import { requireAction } from '../domain/plan-actions.ts';
import { statusOf } from '../domain/plan-status.ts';
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
    await lockedPlan(em, accountOf(ctx), id);
    const plan = await readPlan(tx, id);
    const now = clock.now();
    const known = await autoTopUpOf(em, id);
    const spent = known ?? { planId: id, request: null, nextAt: null, spentMinor: 0, spentOn: monthOf(now) };
    if (terms) {
      const { accountId, product: code, withdrawn } = plan;
      requireAction('top_up', statusOf(plan), tx.providers.products[code], withdrawn);
      checkAutoTopUp(terms, (await priceVolume(tx, { accountId, code, gigabytes: terms.gigabytes, planId: id })).totalMinor);
      await saveAutoTopUp(em, { ...spent, ...terms, enabled: true, off: null, nextAt: spent.request ? spent.nextAt : null });
    } else if (known) await saveAutoTopUp(em, { ...known, enabled: false, off: null });
    const data = { planId: id, enabled: terms !== null, ...(terms && { gigabytes: terms.gigabytes, ceilingMinor: terms.ceilingMinor }) };
    if (terms || known?.enabled)
      await appendEvents(em, { type: 'residential_plan.auto_top_up_set', at: now, accountId: plan.accountId, subject: id, data });
    await topUpLow(tx, [await readPlan(tx, id)]);
    await notifyFiguresChanged(em, plan);
    return readPlan(tx, id);
  });
