// Tables compute.server and compute.address. Plain SQL: few columns change at a time, each in the transaction of its reason.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
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
  /** What its owner calls it; null: its host name. */
  name: string | null;
  /** A dedicated machine without a controller, or none yet. */
  byHand: boolean;
  labels: Record<string, string>;
  /** Against a reinstall or a restore by mistake. */
  protected: boolean;
  /** The way into its rescue system, while that runs. */
  rescuePasswordSealed: Buffer | null;
  userDataSealed: Buffer | null;
  months: number | null;
  /** What accounts said of its subscription last; null until it has. */
  subscriptionVersion: number | null;
  subscriptionStatus: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  runWhenResumed: boolean;
  /** The plan that the machine has by now. */
  machinePlanCode: string | null;
  /** Weekly backups are bought. */
  backups: boolean;
  nextBackupAt: Date | null;
}

const SERVERS = sql`
  select id, kind, account_id as "accountId", subscription_id as "subscriptionId", plan_code as "planCode", status, power_state as "powerState", hostname,
    order_id as "orderId", node, machine_number as "machineNumber", os, extra_ipv4 as "extraIpv4", ssh_keys as "sshKeys",
    login_name as "loginName", password_sealed as "passwordSealed", name, labels, protected,
    (kind = 'DEDICATED' and not exists (select from bare_metal where server_id = server.id and controller_url is not null)) as "byHand", rescue_password_sealed as "rescuePasswordSealed",
    user_data_sealed as "userDataSealed", months, subscription_version as "subscriptionVersion", subscription_status as "subscriptionStatus",
    period_start as "periodStart", period_end as "periodEnd", cancel_at_period_end as "cancelAtPeriodEnd", run_when_resumed as "runWhenResumed",
    machine_plan_code as "machinePlanCode", backups, next_backup_at as "nextBackupAt",
    array(select host(ip) from address where server_id = server.id order by position) as ipv4, created_at as "createdAt"
  from server`;

const asDate = (value: Date | null): Date | null => (value === null ? null : new Date(value));
const toRow = (row: ServerRow): ServerRow => ({
  ...row,
  createdAt: new Date(row.createdAt),
  periodStart: asDate(row.periodStart),
  periodEnd: asDate(row.periodEnd),
  nextBackupAt: asDate(row.nextBackupAt),
});

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
  | 'userDataSealed'
  | 'backups'
> & { months: number };

/** A VPS to be built; false when the order has one already. */
export async function insertVps(em: EntityManager, server: NewServer): Promise<boolean> {
  const { rows } = await sql`
    insert into server (id, kind, account_id, order_id, subscription_id, plan_code, status, hostname, created_at, os, months, extra_ipv4, ssh_keys, login_name, password_sealed,
      user_data_sealed, backups)
    values (${server.id}, 'VPS', ${server.accountId}, ${server.orderId}, ${server.subscriptionId}, ${server.planCode}, 'BUILDING', ${server.hostname},
      ${server.createdAt}::timestamptz, ${server.os}, ${server.months}, ${server.extraIpv4}, ${server.sshKeys}::text[], ${server.loginName}, ${server.passwordSealed},
      ${server.userDataSealed}, ${server.backups})
    on conflict (order_id) do nothing returning id`.execute(em.getKysely());
  return rows.length === 1;
}

export type NewDedicated = Pick<
  ServerRow,
  'id' | 'accountId' | 'orderId' | 'subscriptionId' | 'planCode' | 'hostname' | 'createdAt' | 'os' | 'loginName' | 'passwordSealed'
> & { months: number };

/** A dedicated server to be provisioned; false when the order has one already. */
export async function insertDedicated(em: EntityManager, server: NewDedicated): Promise<boolean> {
  const { rows } = await sql`
    insert into server (id, kind, account_id, order_id, subscription_id, plan_code, status, hostname, created_at, os, months, login_name, password_sealed)
    values (${server.id}, 'DEDICATED', ${server.accountId}, ${server.orderId}, ${server.subscriptionId}, ${server.planCode}, 'PROVISIONING',
      ${server.hostname}, ${server.createdAt}::timestamptz, ${server.os}, ${server.months}, ${server.loginName}, ${server.passwordSealed})
    on conflict (order_id) do nothing returning id`.execute(em.getKysely());
  return rows.length === 1;
}

/** What changes in a server's life. */
const COLUMNS = {
  status: 'status',
  powerState: 'power_state',
  node: 'node',
  machineNumber: 'machine_number',
  passwordSealed: 'password_sealed',
  os: 'os',
  loginName: 'login_name',
  rescuePasswordSealed: 'rescue_password_sealed',
  userDataSealed: 'user_data_sealed',
  planCode: 'plan_code',
  machinePlanCode: 'machine_plan_code',
  extraIpv4: 'extra_ipv4',
  backups: 'backups',
  nextBackupAt: 'next_backup_at',
  subscriptionVersion: 'subscription_version',
  subscriptionStatus: 'subscription_status',
  periodStart: 'period_start',
  periodEnd: 'period_end',
  cancelAtPeriodEnd: 'cancel_at_period_end',
  runWhenResumed: 'run_when_resumed',
} as const;

/** Writes the columns that are given. */
export async function updateServer(em: EntityManager, id: string, change: Partial<Pick<ServerRow, keyof typeof COLUMNS>>): Promise<void> {
  const set = Object.entries(change).map(([name, value]) => sql`${sql.ref(COLUMNS[name as keyof typeof COLUMNS])} = ${value}`);
  if (set.length > 0) await sql`update server set ${sql.join(set)} where id = ${id}`.execute(em.getKysely());
}

export type ServerCare = Partial<Pick<ServerRow, 'name' | 'labels' | 'protected'>>;

/** Writes what an owner keeps beside a server. */
export async function updateCare(em: EntityManager, id: string, { labels, ...care }: ServerCare): Promise<void> {
  const set = [
    ...Object.entries(care).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
    ...(labels ? [sql`labels = ${JSON.stringify(labels)}::jsonb`] : []),
  ];
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

/** The same of dedicated servers. */
export async function settledDedicated(em: EntityManager): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where kind = 'DEDICATED' and status = 'ACTIVE'
    and not exists (select from operation where server_id = server.id and operation.status = 'RUNNING')`.execute(em.getKysely());
  return rows.map(toRow);
}

/** The server of a subscription, locked for the transaction. */
export async function lockServerOfSubscription(em: EntityManager, subscriptionId: string): Promise<ServerRow | undefined> {
  const { rows } = await sql<{ id: string }>`select id from server where subscription_id = ${subscriptionId}`.execute(em.getKysely());
  return rows[0] && lockServer(em, rows[0].id);
}

/** Ids of dedicated servers with nothing under way whose machine is not what the subscription says. */
export async function unsettledDedicated(em: EntityManager, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from server where kind = 'DEDICATED'
      and not exists (select from operation where server_id = server.id and operation.status = 'RUNNING')
      and (
        status = 'DECOMMISSIONED' and exists (select from bare_metal where server_id = server.id)
        or status = 'SUSPENDED' and power_state <> 'STOPPED'
        or status = 'ACTIVE' and run_when_resumed
      )
    order by id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** Ids of VPS with nothing under way that may lack something: a little more than those that do. */
export async function unsettledVps(em: EntityManager, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from server where kind = 'VPS'
      and not exists (select from operation where server_id = server.id and operation.status = 'RUNNING')
      and (
        status = 'REMOVED' and (machine_number is not null or exists (select from address where server_id = server.id))
        or status = 'SUSPENDED' and machine_number is not null and power_state <> 'STOPPED'
        or status = 'ACTIVE' and (
          machine_plan_code is distinct from plan_code
          or (select count(*) from address where server_id = server.id) < 1 + extra_ipv4
          or run_when_resumed
          or backups and next_backup_at <= ${at}::timestamptz
        )
        or exists (select from backup where server_id = server.id and expires_at <= ${at}::timestamptz)
      )
    order by id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
