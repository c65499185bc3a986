import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import { ACCESS_CHANNEL } from '#platform/identity.ts';

/** Notifies every process at the commit to forget what it has cached about a session, key or account; open sockets are checked again. */
export async function announceAccess(em: EntityManager, id: string): Promise<void> {
  await sql`select pg_notify(${ACCESS_CHANNEL}, ${id})`.execute(em.getKysely());
}
