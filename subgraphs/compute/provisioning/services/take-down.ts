import type { ProvisioningContext } from '../context.ts';
import type { Command, ServerKind } from '../../operations/domain/operation.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { dropFirewall } from '../../networking/services/firewall.ts';
import type { ServerRow } from '../../servers/entities/server.ts';

/** What takes everything away from a server of each kind, and the reason for what it breaks off. */
const LAST: Record<ServerKind, { command: Command; supersede: string }> = {
  VPS: { command: 'RELEASE', supersede: 'The subscription of the server has ended.' },
  DEDICATED: { command: 'DECOMMISSION', supersede: 'The server is decommissioned.' },
};

/** Begins to remove or wipe a server's machine and to give back all that it holds, in the transaction of `ctx.em`, whatever else is under way. */
export async function takeDown(ctx: ProvisioningContext, server: Pick<ServerRow, 'id' | 'accountId' | 'kind'>): Promise<void> {
  // The rules of a VPS go with its machine, those at the router do not.
  if (server.kind === 'DEDICATED') await dropFirewall(ctx, server.id);
  await beginOperation(ctx, server, LAST[server.kind]);
}
