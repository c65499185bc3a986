// Firewall rules: an owner's change is stored, and after the commit sent to the hypervisor (VPS) or the router (dedicated server), again and again until it is
// applied.
import { MINUTE, SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import type { NetworkingContext } from '../context.ts';
import { type FirewallRule, checkRules } from '../domain/firewall.ts';
import { drawBorderRule } from '../entities/address.ts';
import { type FirewallRow, dueFirewalls, firewallOf, noteFirewall, wishFirewall, wishNoFirewall } from '../entities/firewall.ts';
import { type ServerRow, serversByIds } from '../../servers/entities/server.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { lockOwnServer } from '../../servers/services/server-facts.ts';
import { announceChange } from '../../operations/services/server-events.ts';
import type { WishState } from '../domain/wish-state.ts';

const AGAIN_MS = MINUTE;
const BATCH_SIZE = 100;
/** The sweeper waits so long for the job that the change has enqueued. */
const IN_HAND_MS = 30 * SECOND;

export interface Firewall {
  enabled: boolean;
  rules: FirewallRule[];
  state: WishState;
}

export async function firewall(ctx: NetworkingContext, { id }: Pick<ServerRow, 'id'>): Promise<Firewall> {
  const row = await firewallOf(ctx.em, id);
  if (!row) return { enabled: false, rules: [], state: 'NONE' };
  const { enabled, rules, version, appliedVersion, trouble } = row;
  return { enabled, rules, state: appliedVersion === version ? 'SET' : trouble === null ? 'PENDING' : 'FAILED' };
}

/** Replaces all rules. Errors: server_not_found, action_not_allowed, parameter_invalid, servers_not_sold. */
export async function setFirewall(
  ctx: NetworkingContext,
  serverId: string,
  { enabled, rules }: { enabled: boolean; rules: readonly FirewallRule[] },
): Promise<ServerRow> {
  const checked = checkRules(rules);
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, 'set_firewall');
    const ip = server.kind === 'DEDICATED' ? (server.ipv4[0] ?? null) : null;
    if (ip !== null) await drawBorderRule(tx.em, ip);
    await wishFirewall(tx.em, { serverId, enabled, rules: checked, ip }, tx.clock.now());
    await announceChange(tx, server);
    await tx.jobs.enqueue(tx.em, 'compute.firewall-set', { serverId }, { key: serverId });
    return server;
  });
}

/** Removes the rules of a server, in the transaction of `ctx.em`, which ends the server. */
export async function dropFirewall({ em, clock, jobs }: NetworkingContext, serverId: string): Promise<void> {
  if (await wishNoFirewall(em, serverId, clock.now())) await jobs.enqueue(em, 'compute.firewall-set', { serverId }, { key: serverId });
}

/** How to set the rules of a server; undefined when its hypervisor or router is not configured, or it has no machine or no rule number. */
function setterOf({ providers }: NetworkingContext, server: ServerRow, row: FirewallRow): (() => Promise<void>) | undefined {
  const { datacenter, border } = providers;
  if (server.kind === 'VPS') {
    const { node, machineNumber: number } = server;
    if (!datacenter || node === null || number === null) return undefined;
    return () => datacenter.hypervisor.setFirewall({ node, number }, row);
  }
  const { borderRule: place } = row;
  if (!border || place === null) return undefined;
  return () => border.setFirewall({ id: server.id, ip: server.ipv4[0] ?? null, place }, row);
}

/** Sends the present rules of a server to its hypervisor or router. Safe to call at any time. */
export async function applyFirewall(ctx: NetworkingContext, serverId: string): Promise<void> {
  const [row, [server]] = [await firewallOf(ctx.em, serverId), await serversByIds(ctx.em, [serverId])];
  if (!row || !server || row.appliedVersion === row.version) return;
  const set = setterOf(ctx, server, row);
  if (!set) return;
  const outcome = await set().then(
    () => ({ applied: true }) as const,
    (error: unknown) => {
      if (!(error instanceof VendorTrouble)) throw error;
      ctx.log.warn({ server: serverId, error: error.message }, 'the rules of a firewall could not be set');
      return { trouble: error.message.slice(0, 500), nextAt: after(ctx.clock.now(), AGAIN_MS) };
    },
  );
  await inTransaction(ctx, async (tx) => {
    await noteFirewall(tx.em, row, outcome);
    await announceChange(tx, server);
  });
}

/** Sends all rules that are not applied yet. */
export async function sweepFirewalls(ctx: NetworkingContext): Promise<void> {
  const { datacenter, border } = ctx.providers;
  const kinds = [...(datacenter ? ['VPS' as const] : []), ...(border ? ['DEDICATED' as const] : [])];
  for (const serverId of await dueFirewalls(ctx.em, kinds, after(ctx.clock.now(), -IN_HAND_MS), BATCH_SIZE))
    await applyFirewall(ctx, serverId);
}
