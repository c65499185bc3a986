// Tables compute.server and compute.address. Plain SQL: few columns change at a time, each in the transaction of its reason.
import { sql } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { PowerState } from '../domain/server-action.ts';
import type { OperatingSystem } from '../domain/operating-system.ts';
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
  orderId: string;
  node: string | null;
  machineNumber: number | null;
  os: OperatingSystem | null;
  extraIpv4: number;
  sshKeys: string[];
  loginName: string | null;
  passwordSealed: Buffer | null;
}

const SERVERS = sql`
  select id, kind, account_id as "accountId", subscription_id as "subscriptionId", plan_code as "planCode", status, power_state as "powerState", hostname,
    order_id as "orderId", node, machine_number as "machineNumber", os, extra_ipv4 as "extraIpv4", ssh_keys as "sshKeys",
    login_name as "loginName", password_sealed as "passwordSealed",
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

/** Locks a server for the transaction. */
export async function lockServer(em: EntityManager, id: string): Promise<ServerRow | undefined> {
  await sql`select from server where id = ${id} for update`.execute(em.getKysely());
  return (await serversByIds(em, [id]))[0];
}

export type NewServer = Pick<
  ServerRow,
  | 'id'
  | 'accountId'
  | 'orderId'
  | 'subscriptionId'
  | 'planCode'
  | 'hostname'
  | 'createdAt'
  | 'os'
  | 'extraIpv4'
  | 'sshKeys'
  | 'loginName'
  | 'passwordSealed'
> & { months: number };

/** A VPS to be built; false when the order has one already. */
export async function insertVps(em: EntityManager, server: NewServer): Promise<boolean> {
  const { rows } = await sql`
    insert into server (id, kind, account_id, order_id, subscription_id, plan_code, status, hostname, created_at, os, months, extra_ipv4, ssh_keys, login_name, password_sealed)
    values (${server.id}, 'VPS', ${server.accountId}, ${server.orderId}, ${server.subscriptionId}, ${server.planCode}, 'BUILDING', ${server.hostname},
      ${server.createdAt}::timestamptz, ${server.os}, ${server.months}, ${server.extraIpv4}, ${server.sshKeys}::text[], ${server.loginName}, ${server.passwordSealed})
    on conflict (order_id) do nothing returning id`.execute(em.getKysely());
  return rows.length === 1;
}

/** Writes the columns that are given. */
export async function updateServer(
  em: EntityManager,
  id: string,
  change: Partial<Pick<ServerRow, 'status' | 'powerState' | 'node' | 'machineNumber' | 'passwordSealed'>>,
): Promise<void> {
  const columns = {
    status: 'status',
    powerState: 'power_state',
    node: 'node',
    machineNumber: 'machine_number',
    passwordSealed: 'password_sealed',
  };
  const set = Object.entries(change).map(([name, value]) => sql`${sql.ref(columns[name as keyof typeof columns])} = ${value}`);
  if (set.length > 0) await sql`update server set ${sql.join(set)} where id = ${id}`.execute(em.getKysely());
}

/** A number that no machine of ours has had. */
export async function drawMachineNumber(em: EntityManager): Promise<number> {
  const { rows } = await sql<{ number: number }>`select nextval('machine_number')::int as number`.execute(em.getKysely());
  return rows[0]?.number ?? 0;
}

/** Servers that run or rest at their owner's will, with nothing under way. */
export async function settledServers(em: EntityManager): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where kind = 'VPS' and status = 'ACTIVE' and machine_number is not null
    and not exists (select from operation where server_id = server.id and operation.status = 'RUNNING')`.execute(em.getKysely());
  return rows.map(toRow);
}
