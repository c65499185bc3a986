import { type EventOf, appendEvents } from '#platform/events.ts';
import { planOfPurchase } from '../../plans/entities/top-up.ts';
import type { Context } from '../context.ts';
import { usageRecord } from '../entities/usage-record.ts';

/** Banks read a few dozen pages at most. */
const MAX_LINES = 1_000;

/** Reaction to `purchase.records_asked`: gives the use of a plan whose payment is disputed. */
export async function giveRecord(ctx: Context, { accountId, data }: EventOf<'purchase.records_asked'>): Promise<void> {
  const { seller, orderId, disputeId } = data;
  const subject = seller === 'residential' ? await planOfPurchase(ctx.em, orderId) : undefined;
  if (!subject) return;
  const lines = (await usageRecord(ctx.em, subject, MAX_LINES)).map(({ firstAt, client, host, country, upBytes, downBytes }) => ({
    at: firstAt.toISOString(),
    text: `from ${client ?? 'an unknown address'} to ${host ?? 'an unknown host'} through ${country ?? 'any country'}: ${upBytes} bytes up, ${downBytes} bytes down`,
  }));
  await appendEvents(ctx.em, {
    type: 'fulfilment.recorded',
    at: ctx.clock.now(),
    accountId,
    subject,
    data: { orderId, disputeId, title: `Proxy traffic of the package ${subject}`, lines },
  });
}
