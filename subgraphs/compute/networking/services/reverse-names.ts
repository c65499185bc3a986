// Reverse DNS: an owner's change is stored, and after the commit sent to the name server, again and again until it is applied.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import type { NetworkingContext } from '../context.ts';
import { checkHostname } from '../../servers/domain/hostname.ts';
import { dueReverseNames, noteReverseName, reverseNamesOf, wishNoNamesForFree, wishReverseName } from '../entities/reverse-name.ts';
import { type ServerRow, serversByIds } from '../../servers/entities/server.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { lockOwnServer } from '../../servers/services/server-facts.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import type { WishState } from '../domain/wish-state.ts';

const AGAIN_MS = MINUTE;
const BATCH_SIZE = 100;
/** The sweeper waits so long for the job that the change has enqueued. */
const IN_HAND_MS = 30 * SECOND;

export interface ReverseName {
  ip: string;
  name: string | null;
  state: WishState;
}

/** The name of each address, in the server's order. */
export async function reverseNames(ctx: NetworkingContext, { ipv4 }: Pick<ServerRow, 'ipv4'>): Promise<ReverseName[]> {
  const rows = await reverseNamesOf(ctx.em, ipv4);
  return ipv4.map((ip) => {
    const row = rows.find((one) => one.ip === ip);
    if (!row) return { ip, name: null, state: 'NONE' };
    const { name, version, appliedVersion, trouble } = row;
    const settled = name === null ? 'NONE' : 'SET';
    return { ip, name, state: appliedVersion === version ? settled : trouble === null ? 'PENDING' : 'FAILED' };
  });
}

/** Sets or removes the name of an address. Errors: server_not_found, action_not_allowed, parameter_invalid, reverse_names_not_available. */
export async function setReverseName(ctx: NetworkingContext, serverId: string, ip: string, name: string | null): Promise<ServerRow> {
  if (!ctx.providers.reverseDns) throw fail('reverse_names_not_available');
  const checked = name === null || name.trim() === '' ? null : checkHostname(name.trim().replace(/\.$/, ''), 'name');
  if (checked !== null && !checked.includes('.')) throw fail('parameter_invalid', { field: 'name', reason: because('reverse_name_unfit') });
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, 'set_reverse_name');
    if (!server.ipv4.includes(ip)) throw fail('parameter_invalid', { field: 'ip', reason: because('server_address_unknown') });
    await wishReverseName(tx.em, ip, checked, tx.clock.now());
    await announceChange(tx, server);
    await tx.jobs.enqueue(tx.em, 'compute.reverse-name-set', { ip, serverId }, { key: ip });
    return server;
  });
}

/** Sends the present name of an address to the name server. Safe to call at any time. */
export async function applyReverseName(ctx: NetworkingContext, ip: string, serverId?: string): Promise<void> {
  const [row] = await reverseNamesOf(ctx.em, [ip]);
  const { reverseDns } = ctx.providers;
  if (!row || !reverseDns || row.appliedVersion === row.version) return;
  const outcome = await reverseDns.set(ip, row.name).then(
    () => ({ applied: true }) as const,
    (error: unknown) => {
      if (!(error instanceof VendorTrouble)) throw error;
      ctx.log.warn({ ip, error: error.message }, 'an address could not be named');
      return { trouble: error.message.slice(0, 500), nextAt: after(ctx.clock.now(), AGAIN_MS) };
    },
  );
  const [server] = serverId === undefined ? [] : await serversByIds(ctx.em, [serverId]);
  await inTransaction(ctx, async (tx) => {
    await noteReverseName(tx.em, row, outcome);
    if (server) await announceChange(tx, server);
  });
}

/** Sends all names that are not applied yet, and removes those of addresses that were given back. */
export async function sweepReverseNames(ctx: NetworkingContext): Promise<void> {
  if (!ctx.providers.reverseDns) return;
  const now = ctx.clock.now();
  await inTransaction(ctx, ({ em }) => wishNoNamesForFree(em, now));
  for (const ip of await dueReverseNames(ctx.em, after(now, -IN_HAND_MS), BATCH_SIZE)) await applyReverseName(ctx, ip);
}
