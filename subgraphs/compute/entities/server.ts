// Tables compute.server and compute.address. So far servers are only read here: plain SQL, no entities.
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { PowerState } from '../domain/server-action.ts';
import type { ServerStatus } from '../domain/server-lifecycle.ts';

export interface ServerRow {
  id: string;
  kind: 'VPS' | 'DEDICATED';
  accountId: string;
  subscriptionId: string;
  planCode: string;
  status: ServerStatus;
  powerState: PowerState;
  hostname: string;
  /** Its own address first. */
  ipv4: string[];
  createdAt: Date;
}

const SERVERS = sql`
  select id, kind, account_id as "accountId", subscription_id as "subscriptionId", plan_code as "planCode", status, power_state as "powerState", hostname,
    array(select host(ip) from address where server_id = server.id order by position) as ipv4, created_at as "createdAt"
  from server`;

const toRow = (row: ServerRow): ServerRow => ({ ...row, createdAt: new Date(row.createdAt) });

/** Every server of an account, newest first. */
export async function serversOfAccount(em: EntityManager, accountId: string): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where account_id = ${accountId} order by created_at desc, id desc`.execute(
    em.getKysely(),
  );
  return rows.map(toRow);
}

export async function serversByIds(em: EntityManager, ids: readonly string[]): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where id = any(${ids}::text[])`.execute(em.getKysely());
  return rows.map(toRow);
}
