// Finds refunds, disputes and warnings all of whose notices were lost: once a day each processor is asked what happened recently.
import { DAY, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import { PAYMENT_METHODS } from '../../payments/providers/payment-methods.ts';
import type { Notice } from '../../payments/providers/payment-processor.ts';
import type { BillingContext } from '../../context.ts';
import { lookAt } from './notices.ts';

/** Processors repeat a notice for three days, and banks take some days to reject a refund. */
const LOOKED_BACK_MS = 14 * DAY;

/** Applies everything that processors report of that time; what is known already changes nothing. */
export async function sweepProcessors(ctx: BillingContext): Promise<void> {
  const since = after(ctx.clock.now(), -LOOKED_BACK_MS);
  for (const method of Object.values(PAYMENT_METHODS))
    try {
      for (const about of (await ctx.providers.payments[method.name]?.recent?.(since)) ?? []) await apply(ctx, method, about);
    } catch (error) {
      ctx.log.error({ processor: method.processor, error: String(error) }, 'a processor could not be asked what happened lately');
    }
}

async function apply(
  ctx: BillingContext,
  { processor: source }: MethodDefinition,
  about: Pick<Notice, 'type' | 'objectId'>,
): Promise<void> {
  try {
    const applied = await lookAt(ctx, { source, ...about });
    await inTransaction({ ...ctx, em: ctx.em.fork() }, applied);
  } catch (error) {
    ctx.log.error({ source, ...about, error: String(error) }, 'what happened at a processor could not be looked at');
  }
}
