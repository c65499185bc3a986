// Firewall rules of VPS: owners wish them; the hypervisor gets them after the commit, and again until it has them.
import { MINUTE, SECOND, after } from '#shared/clock.ts';
import { inTransaction } from '#shared/database.ts';
import type { ComputeContext } from '../builder.ts';
import { type FirewallRule, checkRules } from '../domain/firewall.ts';
import { dueFirewalls, firewallOf, noteFirewall, wishFirewall } from '../entities/firewall.ts';
import { type ServerRow, serversByIds } from '../entities/server.ts';
import { VendorTrouble } from '../providers/vendor-trouble.ts';
import { announce } from './operation-way.ts';
import { lockOwnServer } from './server-facts.ts';

const AGAIN_MS = MINUTE;
const AT_ONCE = 100;
/** The job that the wish enqueued comes first. */
const IN_HAND_MS = 30 * SECOND;

export interface Firewall {
  enabled: boolean;
  rules: FirewallRule[];
  state: 'NONE' | 'PENDING' | 'SET' | 'FAILED';
}

export async function firewall(ctx: ComputeContext, { id }: Pick<ServerRow, 'id'>): Promise<Firewall> {
  const row = await firewallOf(ctx.em, id);
  if (!row) return { enabled: false, rules: [], state: 'NONE' };
  const { enabled, rules, version, appliedVersion, trouble } = row;
  return { enabled, rules, state: appliedVersion === version ? 'SET' : trouble === null ? 'PENDING' : 'FAILED' };
}

/** Replaces all rules. Errors: server_not_found, action_not_allowed, parameter_invalid, servers_not_sold. */
export async function setFirewall(
  ctx: ComputeContext,
  serverId: string,
  { enabled, rules }: { enabled: boolean; rules: readonly FirewallRule[] },
): Promise<ServerRow> {
  const checked = checkRules(rules);
  return inTransaction(ctx, async (tx) => {
    const server = await lockOwnServer(tx, serverId, 'set_firewall');
    await wishFirewall(tx.em, { serverId, enabled, rules: checked }, tx.clock.now());
    await announce(tx, server, 'changed');
    await tx.jobs.enqueue(tx.em, 'compute.firewall-set', { serverId }, { key: serverId });
    return server;
  });
}

/** Gives the hypervisor the present rules of a server. Safe to call at any time. */
export async function applyFirewall(ctx: ComputeContext, serverId: string): Promise<void> {
  const { datacenter } = ctx.providers;
  const [row, [server]] = [await firewallOf(ctx.em, serverId), await serversByIds(ctx.em, [serverId])];
  if (!datacenter || !row || !server || row.appliedVersion === row.version || server.node === null || server.machineNumber === null) return;
  const ref = { node: server.node, number: server.machineNumber };
  const outcome = await datacenter.hypervisor.setFirewall(ref, row).then(
    () => ({ applied: true }) as const,
    (error: unknown) => {
      if (!(error instanceof VendorTrouble)) throw error;
      ctx.log.warn({ server: serverId, error: error.message }, 'the rules of a firewall could not be set');
      return { trouble: error.message.slice(0, 500), nextAt: after(ctx.clock.now(), AGAIN_MS) };
    },
  );
  await inTransaction(ctx, async (tx) => {
    await noteFirewall(tx.em, row, outcome);
    await announce(tx, server, 'changed');
  });
}

/** What has not come to the hypervisor. */
export async function sweepFirewalls(ctx: ComputeContext): Promise<void> {
  if (!ctx.providers.datacenter) return;
  for (const serverId of await dueFirewalls(ctx.em, after(ctx.clock.now(), -IN_HAND_MS), AT_ONCE)) await applyFirewall(ctx, serverId);
}
