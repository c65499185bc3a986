// What a paid order of ours asks for, by its kind. Orders of other sellers are none of ours.
import type { LoggedEvent } from '#platform/events.ts';
import type { ComputeContext } from '../../builder.ts';
import { changeVps } from './change-vps.ts';
import { beginDedicated } from './order-dedicated.ts';
import { beginVps } from './order-vps.ts';

type Fulfil = (ctx: ComputeContext, event: LoggedEvent) => Promise<void>;

/** `fulfil.kind` of the offer -> what makes it true. */
const KINDS: Record<string, Fulfil> = { vps: beginVps, vps_change: changeVps, dedicated: beginDedicated };

/** Reaction to `order.paid`. */
export async function fulfilOrder(ctx: ComputeContext, event: LoggedEvent): Promise<void> {
  if (event.data['seller'] !== 'compute') return;
  const { kind = 'vps' } = event.data['fulfil'] as { kind?: string };
  const fulfil = KINDS[kind];
  if (!fulfil) throw new Error(`order ${event.subject} is of no kind that is known: ${kind}`);
  await fulfil(ctx, event);
}
