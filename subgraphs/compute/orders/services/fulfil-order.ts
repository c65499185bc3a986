// Handles paid orders by their kind. Orders of other sellers are ignored.
import type { EventOf } from '#platform/events.ts';
import type { OrdersContext } from '../context.ts';
import { beginDedicated } from './order-dedicated.ts';
import { beginVps } from './order-vps.ts';
import { changeAndReprice } from './repriced-servers.ts';

type Fulfil = (ctx: OrdersContext, event: EventOf<'order.paid'>) => Promise<void>;

/** `fulfil.kind` of the offer -> the function that fulfils it. */
const KINDS: Record<string, Fulfil> = { vps: beginVps, vps_change: changeAndReprice, dedicated: beginDedicated };

/** Reaction to `order.paid`. */
export async function fulfilOrder(ctx: OrdersContext, event: EventOf<'order.paid'>): Promise<void> {
  if (event.data.seller !== 'compute') return;
  const { kind = 'vps' } = event.data.fulfil ?? {};
  const fulfil = KINDS[String(kind)];
  if (!fulfil) throw new Error(`order ${event.subject} is of no kind that is known: ${String(kind)}`);
  await fulfil(ctx, event);
}
