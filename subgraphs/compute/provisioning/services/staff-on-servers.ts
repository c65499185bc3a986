// What staff do with servers. The owner is told of whatever concerns them by `compute_server.handled`; accounts mails it.
import { after } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { Failure, because, fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { checkReason } from '#commerce/support-reason.ts';
import { OPERATING_SYSTEMS } from '../../catalogue/domain/operating-system.ts';
import { vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { HypervisorTrouble } from '../../machines/providers/hypervisor.ts';
import { setNodeMaintenance } from '../../machines/services/infrastructure.ts';
import { lookAtNodes, reserveMove } from '../../machines/services/placement.ts';
import { exchangeAddress } from '../../networking/entities/address.ts';
import type { OperationRow } from '../../operations/entities/operation.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { aboutServer, announceChange } from '../../operations/services/server-events.ts';
import { type StaffAction, mustAllowStaff } from '../../servers/domain/staff-action.ts';
import { type ServerRow, lockServer, markHalted, serversByIds, serversOnNode, updateServer } from '../../servers/entities/server.ts';
import { beginReinstall } from '../../servers/services/act-on-server.ts';
import { isServerId, staffFacts } from '../../servers/services/server-facts.ts';
import type { ProvisioningContext } from '../context.ts';
import { settleServer } from './settle.ts';

/** The server that is meant, and why; where the owner is told, they read the reason. */
export interface StaffWish {
  id: string;
  reason: string;
}

/** Any account's server. Errors: server_not_found. */
export async function staffServer({ em }: ProvisioningContext, id: string): Promise<ServerRow> {
  const [server] = isServerId(id) ? await serversByIds(em, [id]) : [];
  if (!server) throw fail('server_not_found');
  return server;
}

/** Locks the server if staff may do this with it now. Errors: server_not_found, own_account_refused, action_not_allowed. */
async function lockForStaff(ctx: ProvisioningContext, action: StaffAction, id: string): Promise<ServerRow> {
  const server = isServerId(id) ? await lockServer(ctx.em, id) : undefined;
  if (!server) throw fail('server_not_found');
  refuseOwnAccount(ctx, server.accountId);
  mustAllowStaff(action, await staffFacts(ctx, server));
  return server;
}

type Handled = Pick<EventOf<'compute_server.handled'>['data'], 'act' | 'reason' | 'before' | 'after'>;

/** Appends the event by which the owner is told. */
const tellOwner = (ctx: ProvisioningContext, server: ServerRow, handled: Handled): Promise<void> =>
  appendEvents(ctx.em, {
    type: 'compute_server.handled',
    ...aboutServer(ctx, server),
    data: { subscriptionId: server.subscriptionId, hostname: server.hostname, ...handled },
  });

const confirm = ({ hostname }: ServerRow, typed: string): void => {
  if (typed.trim().toLowerCase() !== hostname)
    throw fail('parameter_invalid', { field: 'hostname', reason: because('hostname_unconfirmed', { hostname }) });
};

/** Switches a server off until it is restored; its data stays. Errors: those of `lockForStaff`, parameter_invalid. */
export const suspendServer = (ctx: ProvisioningContext, wish: StaffWish) => halt(ctx, wish, true);
/** Lets it run again, if it ran before and nothing else keeps it off. Errors: the same. */
export const restoreServer = (ctx: ProvisioningContext, wish: StaffWish) => halt(ctx, wish, false);

function halt(ctx: ProvisioningContext, { id, reason }: StaffWish, halted: boolean): Promise<void> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const server = await lockForStaff(tx, halted ? 'suspend' : 'restore', id);
    await markHalted(tx.em, id, halted ? { at: tx.clock.now(), reason: words } : null);
    await tellOwner(tx, server, { act: halted ? 'SUSPENDED' : 'RESTORED', reason: words });
    await announceChange(tx, server);
    const fresh = await lockServer(tx.em, id);
    if (fresh) await settleServer(tx, fresh);
  });
}

/** Ends the server's subscription, by which all of it is removed. Errors: those of `lockForStaff`, parameter_invalid. */
export function deleteServer(ctx: ProvisioningContext, { id, hostname, reason }: StaffWish & { hostname: string }): Promise<void> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const server = await lockForStaff(tx, 'delete', id);
    confirm(server, hostname);
    await tellOwner(tx, server, { act: 'ENDED', reason: words });
  });
}

/** Wipes the server and installs its system anew. Errors: those of `lockForStaff`, parameter_invalid. */
export function rebuildServer(ctx: ProvisioningContext, { id, hostname, reason }: StaffWish & { hostname: string }): Promise<OperationRow> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const server = await lockForStaff(tx, 'rebuild', id);
    confirm(server, hostname);
    await tellOwner(tx, server, { act: 'REBUILT', reason: words });
    return beginReinstall(tx, server, { os: server.os ?? 'DEBIAN_12' });
  });
}

/** Moves the machine of a VPS. Errors: those of `lockForStaff`, parameter_invalid, hypervisor_node_not_found, datacenter_silent. */
export async function moveServer(
  ctx: ProvisioningContext,
  { id, node, reason }: StaffWish & { node?: string | undefined },
): Promise<OperationRow> {
  checkReason(reason);
  // What is read of the nodes is stored, also when the move is refused afterwards, which is not to be recorded.
  const { trail: _, ...unrecorded } = ctx;
  await lookAtNodes(unrecorded, NODES_MS).catch((error: unknown) => {
    throw error instanceof HypervisorTrouble ? fail('datacenter_silent', { retry_after_seconds: 5 }) : error;
  });
  return inTransaction(ctx, async (tx) => {
    const server = await lockForStaff(tx, 'move', id);
    const { node: from, planCode, accountId, os } = server;
    const size = vpsSize(planCode);
    if (from === null || !size) throw fail('action_not_allowed', { reason: because('server_gone') });
    const { image } = OPERATING_SYSTEMS[os ?? 'DEBIAN_12'];
    const target = await reserveMove(tx, { node: from, accountId, image, size, target: node });
    return beginOperation(tx, server, { command: 'MOVE', target });
  });
}
/** How old the figures of nodes may be. */
const NODES_MS = 10_000;

/** Takes a node into maintenance, and begins to move its machines; returns how many. Errors: hypervisor_node_not_found, parameter_invalid, datacenter_silent. */
export async function drainNode(ctx: ProvisioningContext, { name, reason }: { name: string; reason: string }): Promise<number> {
  checkReason(reason);
  await setNodeMaintenance(ctx, name, true);
  let begun = 0;
  for (const id of await serversOnNode(ctx.em, name))
    try {
      await moveServer(ctx, { id, reason });
      begun++;
    } catch (error) {
      // It is busy, or fits nowhere now: it stays, and the desk goes on showing it on this node.
      if (!(error instanceof Failure) || error.code !== 'action_not_allowed') throw error;
    }
  return begun;
}

/** Exchanges one address of a VPS. Errors: those of `lockForStaff`, parameter_invalid, servers_not_sold, out_of_stock. */
export function changeServerAddress(ctx: ProvisioningContext, { id, ip, reason }: StaffWish & { ip: string }): Promise<OperationRow> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const { datacenter, restMs } = tx.providers;
    const server = await lockForStaff(tx, 'change_address', id);
    if (!server.ipv4.includes(ip)) throw fail('parameter_invalid', { field: 'ip', reason: because('server_address_unknown') });
    if (!datacenter) throw fail('servers_not_sold');
    const at = tx.clock.now();
    const { addresses: range } = (await datacenter.clusters.of(server.node)).terms;
    const given = await exchangeAddress(tx.em, { serverId: id, ip, at, restsUntil: after(at, restMs), range });
    if (given === undefined) throw fail('out_of_stock');
    await tellOwner(tx, server, { act: 'READDRESSED', reason: words, before: ip, after: given });
    if (server.powerState !== 'STOPPED') await updateServer(tx.em, id, { powerState: 'RESTARTING' });
    return beginOperation(tx, server, { command: 'CHANGE_ADDRESS' });
  });
}
