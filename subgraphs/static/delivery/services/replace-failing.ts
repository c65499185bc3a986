import { after } from '#platform/clock.ts';
import { AUTO_REPLACE_AFTER_MS } from '../../health/domain/health.ts';
import { outagesToReplace } from '../../health/entities/outage.ts';
import type { PlansContext } from '../../plans/context.ts';
import { replaceNow } from './replace-addresses.ts';

const BATCH_SIZE = 500;

/** Replaces addresses that have failed for AUTO_REPLACE_AFTER_MS, on plans whose owners want that. When there is not enough stock, the next run tries again. */
export async function replaceFailing(ctx: PlansContext): Promise<void> {
  const outages = await outagesToReplace(ctx.em, after(ctx.clock.now(), -AUTO_REPLACE_AFTER_MS), BATCH_SIZE);
  for (const [planId, broken] of Map.groupBy(outages, (outage) => outage.planId)) {
    const addressIds = broken.map(({ addressId }) => addressId);
    const outcome = await replaceNow(ctx, { planId, addressIds, reason: 'FAILING', askedBy: 'PLATFORM' });
    if (outcome === 'out_of_stock')
      ctx.log.warn({ planId, addresses: addressIds.length }, 'failing addresses wait for stock to replace them');
  }
}
