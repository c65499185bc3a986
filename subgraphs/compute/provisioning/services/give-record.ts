import { type EventOf, appendEvents } from '#platform/events.ts';
import type { ProvisioningContext } from '../context.ts';
import { lockServerOfSubscription } from '../../servers/entities/server.ts';
import { operationsOfServer } from '../../operations/entities/operation.ts';

const MAX_LINES = 1_000;

/** Reaction to `purchase.records_asked`: gives the operations of a server whose payment is disputed. */
export async function giveRecord(ctx: ProvisioningContext, { accountId, data }: EventOf<'purchase.records_asked'>): Promise<void> {
  const { seller, orderId, disputeId, subscriptionId } = data;
  const server = seller === 'compute' && subscriptionId ? await lockServerOfSubscription(ctx.em, subscriptionId) : undefined;
  if (!server) return;
  const lines = (await operationsOfServer(ctx.em, server.id, MAX_LINES))
    .toReversed()
    .map(({ command, status, startedAt, finishedAt, scheduled }) => ({
      at: startedAt.toISOString(),
      text: `${command} ${scheduled ? 'by schedule' : 'asked for'}: ${status}${finishedAt ? ` at ${finishedAt.toISOString()}` : ''}`,
    }));
  await appendEvents(ctx.em, {
    type: 'fulfilment.recorded',
    at: ctx.clock.now(),
    accountId,
    subject: server.id,
    data: { orderId, disputeId, title: `What was done with the server ${server.id}`, lines },
  });
}
