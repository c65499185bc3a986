import { type EventOf, appendEvents } from '#platform/events.ts';
import type { ProductsContext } from '../../products/context.ts';
import { holders } from './inventory.ts';

/** Reaction to `abuse_case.use_asked`: tells which plan held the address at that time. */
export async function reportHolders(ctx: ProductsContext, { subject: caseId, data }: EventOf<'abuse_case.use_asked'>): Promise<void> {
  for (const { planId, accountId, startedAt, endedAt } of await holders(ctx, { ip: data.address, at: new Date(data.at) })) {
    const text = `held ${data.address} ${endedAt ? `until ${endedAt.toISOString()}` : 'and holds it'}`;
    await appendEvents(ctx.em, {
      type: 'static_plan.use_found',
      at: ctx.clock.now(),
      accountId,
      subject: planId,
      data: { caseId, title: `Static plan ${planId} held ${data.address}`, lines: [{ at: startedAt.toISOString(), text }] },
    });
  }
}
