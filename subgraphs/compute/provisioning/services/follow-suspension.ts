import type { EventOf } from '#platform/events.ts';
import { type SuspensionFact, storeSuspension } from '#commerce/account-suspension.ts';
import type { ProvisioningContext } from '../context.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import { lockServer, serversToMark, updateServer } from '../../servers/entities/server.ts';
import { settleServer } from './settle.ts';

/** Reaction to `account.suspended` and `account.restored`: servers of a suspended account are switched off and keep their data; afterwards they are as they were before. */
export async function followSuspension(ctx: ProvisioningContext, event: EventOf<SuspensionFact>): Promise<void> {
  const now = await storeSuspension(ctx, event);
  if (!now) return;
  const { accountId, suspended } = now;
  for (const id of await serversToMark(ctx.em, accountId, suspended)) {
    const server = await lockServer(ctx.em, id);
    if (!server) continue;
    await updateServer(ctx.em, id, { accountSuspended: suspended });
    await announceChange(ctx, server);
    const fresh = await lockServer(ctx.em, id);
    if (fresh) await settleServer(ctx, fresh);
  }
}
