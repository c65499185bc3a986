// What happens at the end of an operation, in the transaction that ends it: the same for both kinds of server, apart from their drivers.
import { appendEvents } from '#platform/events.ts';
import type { Command } from '../../operations/domain/operation.ts';
import { aboutServer } from '../../operations/services/server-events.ts';
import { statusAfter, withStatus } from '../../servers/domain/server-lifecycle.ts';
import { updateServer } from '../../servers/entities/server.ts';
import type { OperationDriver, OperationInput } from './operation-driver.ts';
import { takeDown } from './take-down.ts';

/** The first operation of a server: it delivers the order, or the order is paid back. */
const DELIVERIES: readonly Command[] = ['BUILD', 'PROVISION'];

export async function succeed(driver: OperationDriver, input: OperationInput): Promise<void> {
  const { ctx, server, operation } = input;
  const { command, secretSealed } = operation;
  const event = driver.succeeded[command];
  const status = event && statusAfter(server, event);
  const powerState = driver.powerAfter(operation, server);
  await updateServer(ctx.em, server.id, {
    ...(powerState && { powerState }),
    ...(status && { status }),
    ...(command === 'RESCUE' ? { rescuePasswordSealed: secretSealed } : secretSealed && { passwordSealed: secretSealed }),
    ...driver.changeAfter(input),
  });
  await driver.afterSuccess(input);
  if (status && DELIVERIES.includes(command)) await announceDelivery(input);
}

async function announceDelivery({ ctx, server }: OperationInput): Promise<void> {
  const { orderId, hostname, kind } = server;
  const about = aboutServer(ctx, server);
  await appendEvents(
    ctx.em,
    { type: 'fulfilment.delivered', ...about, data: { orderId } },
    kind === 'VPS'
      ? { type: 'compute_vps.created', ...about, data: { orderId, hostname } }
      : { type: 'compute_dedicated.delivered', ...about, data: { orderId } },
  );
}

/** Handles a failed operation. After a failed delivery the order is paid back, and all that the server holds is released. */
export async function giveUp(driver: OperationDriver, input: OperationInput, message: string): Promise<void> {
  const { ctx, server, operation } = input;
  const event = driver.failed[operation.command];
  const status = event && statusAfter(server, event);
  if (status) await updateServer(ctx.em, server.id, withStatus(status, ctx.clock.now()));
  await driver.afterFailure(input);
  if (!DELIVERIES.includes(operation.command)) return;
  await takeDown(ctx, server);
  const failed = { ...aboutServer(ctx, server), data: { orderId: server.orderId, reason: message } };
  await appendEvents(
    ctx.em,
    { type: 'fulfilment.failed', ...failed },
    { type: server.kind === 'VPS' ? 'compute_vps.failed' : 'compute_dedicated.failed', ...failed },
  );
}
