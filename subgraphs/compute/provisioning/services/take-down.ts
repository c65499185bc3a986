import type { ProvisioningContext } from '../context.ts';
import type { Command, ServerKind } from '../../operations/domain/operation.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { dropFirewall } from '../../networking/services/firewall.ts';
import type { ServerRow } from '../../servers/entities/server.ts';

/** The command that removes everything of a server, by kind, and the reason that is given to a running operation that it replaces. */
const LAST: Record<ServerKind, { command: Command; supersede: string }> = {
  VPS: { command: 'RELEASE', supersede: 'The subscription of the server has ended.' },
  DEDICATED: { command: 'DECOMMISSION', supersede: 'The server is decommissioned.' },
};

/** Begins to remove or wipe a server's machine and to release all that the server holds, in the transaction of `ctx.em`. A running operation is replaced. */
export async function takeDown(ctx: ProvisioningContext, server: Pick<ServerRow, 'id' | 'accountId' | 'kind'>): Promise<void> {
  // The rules of a VPS are removed with its machine; those at the router are not.
  if (server.kind === 'DEDICATED') await dropFirewall(ctx, server.id);
  await beginOperation(ctx, server, LAST[server.kind]);
}
