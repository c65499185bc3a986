// Opens a server's console: the owner's page gets a ticket, and the credentials of the hypervisor's or controller's console stay on the server's side.
import { SECOND, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { hashToken, newToken } from '#platform/secrets.ts';
import type { MetricsContext } from '../../metrics/context.ts';
import type { ServerKind } from '../../operations/domain/operation.ts';
import { mustAllow } from '../../servers/domain/server-action.ts';
import { type ConsoleKind, insertConsoleTicket, takeConsoleTicket } from '../entities/console-ticket.ts';
import { runningOperation } from '../../operations/entities/operation.ts';
import { type ServerRow, serversByIds } from '../../servers/entities/server.ts';
import { machineOfServer } from '../../machines/entities/bare-metal.ts';
import type { ConsoleLine } from '../../machines/providers/hypervisor.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';
import { ownServer } from '../../servers/services/act-on-server.ts';
import { factsOf } from '../../servers/services/server-facts.ts';
import { controllerOf } from '../../machines/services/controller.ts';

const TICKET_MS = 60 * SECOND;

export interface OpenedConsole {
  /** The path at which the page opens its WebSocket. */
  path: string;
  expiresAt: Date;
}

/**
 * Makes a ticket for the caller's session. If a dedicated machine's controller has no such console, this is refused already here, where the page can still show
 * the reason. Errors: server_not_found, action_not_allowed, servers_not_sold, session_invalid, datacenter_silent.
 */
export async function openConsole(ctx: MetricsContext, serverId: string, of: ServerKind, kind: ConsoleKind): Promise<OpenedConsole> {
  const { viewer, clock, providers } = ctx;
  if (viewer.kind !== 'session') throw fail('session_invalid');
  const server = await ownServer(ctx, serverId, of);
  mustAllow('open_console', factsOf(server, await runningOperation(ctx.em, serverId)));
  if (server.kind === 'DEDICATED') await orSilent(dedicatedLine(ctx, server, kind));
  else if (!providers.datacenter) throw fail('servers_not_sold');
  const token = newToken();
  const expiresAt = after(clock.now(), TICKET_MS);
  const ticket = { tokenHash: hashToken(token), serverId, sessionId: viewer.sessionId, kind, expiresAt };
  await inTransaction(ctx, ({ em }) => insertConsoleTicket(em, ticket, clock.now()));
  return { path: `/console/${serverId}?ticket=${token}`, expiresAt };
}

/** Uses a ticket up and returns what the relay needs. Errors: console_ticket_invalid, action_not_allowed, datacenter_silent. */
export async function redeemConsole(
  ctx: MetricsContext,
  { serverId, ticket, sessionId }: { serverId: string; ticket: string; sessionId: string },
): Promise<ConsoleLine & { kind: ConsoleKind }> {
  const use = { tokenHash: hashToken(ticket), serverId, sessionId, at: ctx.clock.now() };
  const kind = await inTransaction(ctx, ({ em }) => takeConsoleTicket(em, use));
  if (!kind) throw fail('console_ticket_invalid');
  const [server] = await serversByIds(ctx.em, [serverId]);
  if (!server) throw fail('console_ticket_invalid');
  // It may have been allowed when the ticket was made, and not any more.
  mustAllow('open_console', factsOf(server, await runningOperation(ctx.em, serverId)));
  return { ...(await orSilent(server.kind === 'VPS' ? vpsLine(ctx, server, kind) : dedicatedLine(ctx, server, kind))), kind };
}

/** Whether an open console may stay: only while the server is ACTIVE, since a dedicated machine runs on after that, and may get another holder. */
export async function consoleMayStay({ em }: MetricsContext, serverId: string): Promise<boolean> {
  const [server] = await serversByIds(em, [serverId]);
  return server?.status === 'ACTIVE';
}

/** Turns a vendor's trouble into a refusal. Errors: datacenter_silent. */
async function orSilent<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof VendorTrouble) throw fail('datacenter_silent', { retry_after_seconds: 5 });
    throw error;
  }
}

async function vpsLine(ctx: MetricsContext, { node, machineNumber }: ServerRow, kind: ConsoleKind): Promise<ConsoleLine> {
  const { datacenter } = ctx.providers;
  if (!datacenter || node === null || machineNumber === null) throw fail('console_ticket_invalid');
  return datacenter.hypervisor.openConsole({ node, number: machineNumber }, kind);
}

const NOT_OFFERED: Record<ConsoleKind, Reason> = {
  TEXT: because('text_console_missing'),
  GRAPHIC: because('graphic_console_missing'),
};

/** The serial console or the screen of a dedicated machine, if its controller offers it. Errors: action_not_allowed. */
async function dedicatedLine(ctx: MetricsContext, server: ServerRow, kind: ConsoleKind): Promise<ConsoleLine> {
  const machine = await machineOfServer(ctx.em, server.id);
  const ref = machine && controllerOf(ctx, machine);
  const bareMetal = ref && ctx.providers.metal?.bareMetal;
  const line = bareMetal && (await (kind === 'TEXT' ? bareMetal.serialConsole(ref) : bareMetal.graphicConsole(ref)));
  if (!line) throw fail('action_not_allowed', { reason: NOT_OFFERED[kind] });
  const { authorities } = ctx.providers.metal ?? {};
  return { ...line, ...(authorities !== undefined && { authorities }), user: '', ticket: '', password: null, raw: kind === 'TEXT' };
}
