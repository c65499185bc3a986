// The events of a server.
import { appendEvents } from '#platform/events.ts';
import type { CatalogueContext } from '../../catalogue/context.ts';
import type { ServerRef, Step } from '../domain/operation.ts';

const CHANGED = { VPS: 'compute_vps.changed', DEDICATED: 'compute_dedicated.changed' } as const;

/** Appends the event that a server has changed, in the transaction of `ctx.em`; with the operation that caused it. */
export const announceChange = (
  ctx: CatalogueContext,
  { id: subject, accountId, kind }: ServerRef,
  data: { operationId?: string; step?: Step } = {},
): Promise<void> => appendEvents(ctx.em, { type: CHANGED[kind], at: ctx.clock.now(), accountId, subject, data });

/** The members that every event of a server has. */
export const aboutServer = ({ clock }: CatalogueContext, { id: subject, accountId }: Pick<ServerRef, 'id' | 'accountId'>) => ({
  at: clock.now(),
  accountId,
  subject,
});
