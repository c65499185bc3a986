// The table compute.console_ticket: tickets that open a console once, for one server and one session.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export const CONSOLE_KINDS = ['TEXT', 'GRAPHIC'] as const;
export type ConsoleKind = (typeof CONSOLE_KINDS)[number];

export interface ConsoleTicket {
  tokenHash: string;
  serverId: string;
  sessionId: string;
  kind: ConsoleKind;
  expiresAt: Date;
}

/** Stores a ticket, and deletes those that expired more than an hour ago. */
export async function insertConsoleTicket(em: EntityManager, ticket: ConsoleTicket, at: Date): Promise<void> {
  const db = em.getKysely();
  await sql`delete from console_ticket where expires_at < ${at}::timestamptz - interval '1 hour'`.execute(db);
  await sql`
    insert into console_ticket (token_hash, server_id, session_id, kind, expires_at)
    values (${ticket.tokenHash}, ${ticket.serverId}, ${ticket.sessionId}, ${ticket.kind}, ${ticket.expiresAt}::timestamptz)`.execute(db);
}

/** Uses a ticket up, even if it does not fit. Returns the kind of console; undefined when it is not valid for this server and session now. */
export async function takeConsoleTicket(
  em: EntityManager,
  { tokenHash, serverId, sessionId, at }: { tokenHash: string; serverId: string; sessionId: string; at: Date },
): Promise<ConsoleKind | undefined> {
  const { rows } = await sql<{ kind: ConsoleKind; fits: boolean }>`
    update console_ticket set used_at = ${at}::timestamptz where token_hash = ${tokenHash} and used_at is null
    returning kind, server_id = ${serverId} and session_id = ${sessionId} and expires_at > ${at}::timestamptz as fits`.execute(
    em.getKysely(),
  );
  return rows[0]?.fits ? rows[0].kind : undefined;
}
