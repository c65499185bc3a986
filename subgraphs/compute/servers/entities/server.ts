// The table compute.server. Plain SQL: a change writes few columns, in the transaction of its cause.
import { type RawBuilder, sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { PowerState } from '../domain/server-action.ts';
import type { OperatingSystem } from '../../catalogue/domain/operating-system.ts';
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
  /** Null: it has not ended, or did so before this was written down. */
  endedAt: Date | null;
  /** The moment whose prices it was sold at; null: the moment when it was created. */
  pricedAt: Date | null;
  orderId: string;
  node: string | null;
  machineNumber: number | null;
  os: OperatingSystem | null;
  extraIpv4: number;
  /** Where its owner has asked for it; null: anywhere. */
  location: string | null;
  sshKeys: string[];
  loginName: string | null;
  passwordSealed: Buffer | null;
  /** The name that its owner has given it; null: the host name is shown. */
  name: string | null;
  /** A dedicated server whose machine has no controller, or that has no machine yet. */
  byHand: boolean;
  labels: Record<string, string>;
  /** Protected against a reinstall or a restore by mistake. */
  protected: boolean;
  /** The password of its rescue system, while that runs. */
  rescuePasswordSealed: Buffer | null;
  userDataSealed: Buffer | null;
  months: number | null;
  /** What accounts last told of its subscription; null before that. */
  subscriptionVersion: number | null;
  subscriptionStatus: string | null;
  periodStart: Date | null;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  runWhenResumed: boolean;
  /** Its account is suspended, its payment is disputed, or staff have halted it: it is off, whatever its status. */
  accountSuspended: boolean;
  /** Staff have halted it, for this reason, which its owner was told. */
  haltedAt: Date | null;
  haltedReason: string | null;
  /** The plan whose size the machine has now. */
  machinePlanCode: string | null;
  /** Weekly backups are bought. */
  backups: boolean;
  nextBackupAt: Date | null;
}

type StoredServer = Omit<ServerRow, 'ipv4' | 'byHand'>;

/** Every column of the table, by its field, and how it is read and written. A column has the field's name, with underscores. */
const COLUMNS: Record<keyof StoredServer, 'plain' | 'instant' | 'json'> = {
  id: 'plain',
  kind: 'plain',
  accountId: 'plain',
  subscriptionId: 'plain',
  planCode: 'plain',
  status: 'plain',
  powerState: 'plain',
  hostname: 'plain',
  createdAt: 'instant',
  endedAt: 'instant',
  pricedAt: 'instant',
  orderId: 'plain',
  node: 'plain',
  machineNumber: 'plain',
  os: 'plain',
  extraIpv4: 'plain',
  location: 'plain',
  sshKeys: 'plain',
  loginName: 'plain',
  passwordSealed: 'plain',
  name: 'plain',
  labels: 'json',
  protected: 'plain',
  rescuePasswordSealed: 'plain',
  userDataSealed: 'plain',
  months: 'plain',
  subscriptionVersion: 'plain',
  subscriptionStatus: 'plain',
  periodStart: 'instant',
  periodEnd: 'instant',
  cancelAtPeriodEnd: 'plain',
  runWhenResumed: 'plain',
  accountSuspended: 'plain',
  haltedAt: 'instant',
  haltedReason: 'plain',
  machinePlanCode: 'plain',
  backups: 'plain',
  nextBackupAt: 'instant',
};
type Field = keyof typeof COLUMNS;
const FIELDS = Object.keys(COLUMNS) as Field[];
const INSTANTS = FIELDS.filter((field) => COLUMNS[field] === 'instant');

const columnOf = (field: Field) => sql.ref(field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
const toColumn = (field: Field, value: unknown) => (COLUMNS[field] === 'json' ? sql`${JSON.stringify(value)}::jsonb` : sql`${value}`);

const SERVERS = sql`
  select ${sql.join(FIELDS.map((field) => sql`${columnOf(field)} as ${sql.ref(field)}`))},
    (kind = 'DEDICATED' and not exists (select from bare_metal where server_id = server.id and controller_url is not null)) as "byHand",
    array(select host(ip) from address where server_id = server.id order by position) as ipv4
  from server`;

const toRow = (row: ServerRow): ServerRow => {
  const instants = INSTANTS.map((field) => [field, row[field] === null ? null : new Date(row[field] as Date)]);
  return { ...row, ...(Object.fromEntries(instants) as Partial<ServerRow>) };
};

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

/** Locks a server until the transaction ends. */
export async function lockServer(em: EntityManager, id: string): Promise<ServerRow | undefined> {
  await sql`select from server where id = ${id} for update`.execute(em.getKysely());
  return (await serversByIds(em, [id]))[0];
}

export type NewServer = Pick<
  StoredServer,
  'id' | 'kind' | 'accountId' | 'orderId' | 'subscriptionId' | 'planCode' | 'status' | 'hostname' | 'createdAt' | 'os' | 'months'
> &
  Partial<StoredServer>;

/**
 * Returns false when the order has a server already. Of two that insert it at once, PostgreSQL finds the other's row by whichever unique index comes first: by the
 * subscription too, so no single one is named. Throws when the subscription has the server of another order.
 */
export async function insertServer(em: EntityManager, server: NewServer): Promise<boolean> {
  const fields = FIELDS.filter((field) => server[field] !== undefined);
  const { rows } = await sql`
    insert into server (${sql.join(fields.map(columnOf))}) values (${sql.join(fields.map((field) => toColumn(field, server[field])))})
    on conflict do nothing returning id`.execute(em.getKysely());
  if (rows.length === 1) return true;
  const { rows: own } = await sql`select from server where order_id = ${server.orderId}`.execute(em.getKysely());
  if (own.length === 0) throw new Error(`order ${server.orderId} names the subscription of another server`);
  return false;
}

/** Writes the given columns. */
export async function updateServer(em: EntityManager, id: string, change: Partial<StoredServer>): Promise<void> {
  const set = FIELDS.filter((field) => change[field] !== undefined).map(
    (field) => sql`${columnOf(field)} = ${toColumn(field, change[field])}`,
  );
  if (set.length > 0) await sql`update server set ${sql.join(set)} where id = ${id}`.execute(em.getKysely());
}

interface OfPlan {
  kind: ServerRow['kind'];
  planCode: string;
  /** Null: of everybody. */
  accountId: string | null;
  /** Servers that were bought before this moment. */
  before: Date;
}

const ofPlan = ({ kind, planCode, accountId, before }: OfPlan) => sql`
  from server where kind = ${kind} and plan_code = ${planCode} and account_id = coalesce(${accountId}, account_id) and status not in ('REMOVED', 'DECOMMISSIONED') and created_at < ${before}::timestamptz`;

/** Ids after an id, ascending, of the servers of a plan that have not ended. */
export async function idsOfPlan(
  em: EntityManager,
  { after, limit, ...plan }: OfPlan & { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id ${ofPlan(plan)} and id > ${after} order by id limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

export async function countOfPlan(em: EntityManager, plan: OfPlan): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count ${ofPlan(plan)}`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

const NOTHING_UNDER_WAY = sql`not exists (select from operation where server_id = server.id and operation.status = 'RUNNING')`;

/** Servers of a kind that are ACTIVE or SUSPENDED, have a machine if they are VPS, and on which no operation runs. */
export async function settledServers(em: EntityManager, kind: ServerRow['kind']): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where kind = ${kind} and status in ('ACTIVE', 'SUSPENDED')
    and (kind = 'DEDICATED' or machine_number is not null) and ${NOTHING_UNDER_WAY}`.execute(em.getKysely());
  return rows.map(toRow);
}

/** Every VPS that has a machine. */
export async function serversWithMachines(em: EntityManager): Promise<ServerRow[]> {
  const { rows } = await sql<ServerRow>`${SERVERS} where machine_number is not null`.execute(em.getKysely());
  return rows.map(toRow);
}

/** The server of a subscription, locked until the transaction ends. */
export async function lockServerOfSubscription(em: EntityManager, subscriptionId: string): Promise<ServerRow | undefined> {
  const { rows } = await sql<{ id: string }>`select id from server where subscription_id = ${subscriptionId}`.execute(em.getKysely());
  return rows[0] && lockServer(em, rows[0].id);
}

/** Ids of an account's servers that are not marked so yet, in the order in which they must be locked. */
export async function serversToMark(em: EntityManager, accountId: string, suspended: boolean): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from server where account_id = ${accountId} and account_suspended <> (${suspended} or frozen or halted_at is not null) order by id`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

const OF_SUSPENDED = sql`exists (select from suspended_account s where s.account_id = server.account_id)`;

/** Freezes a server, or lets it run again unless its account is suspended. Returns false when nothing changed. */
export async function markFrozen(em: EntityManager, id: string, frozen: boolean): Promise<boolean> {
  const { rows } = await sql`update server set frozen = ${frozen},
      account_suspended = ${frozen} or halted_at is not null or ${OF_SUSPENDED}
    where id = ${id} and frozen <> ${frozen} returning id`.execute(em.getKysely());
  return rows.length > 0;
}

/** Halts a server for a reason, or with null lets it run again unless something else keeps it off. */
export async function markHalted(em: EntityManager, id: string, halt: { at: Date; reason: string } | null): Promise<void> {
  await sql`update server set halted_at = ${halt?.at ?? null}::timestamptz, halted_reason = ${halt?.reason ?? null},
      account_suspended = ${halt !== null} or frozen or ${OF_SUSPENDED}
    where id = ${id}`.execute(em.getKysely());
}

/** The location that owners have chosen has another name. */
export async function renameLocation(em: EntityManager, from: string, to: string): Promise<void> {
  await sql`update server set location = ${to} where location = ${from}`.execute(em.getKysely());
}

/** Ids of VPS whose machine is on a node, the oldest first. */
export async function serversOnNode(em: EntityManager, node: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from server where node = ${node} and machine_number is not null and status in ('ACTIVE', 'SUSPENDED') order by created_at, id`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

/** Conditions under which a server of each kind may lack something; they include a few servers that lack nothing. */
const MAY_LACK: Record<ServerRow['kind'], (at: Date) => RawBuilder<unknown>> = {
  VPS: (at) => sql`
    status = 'REMOVED' and (machine_number is not null or exists (select from address where server_id = server.id))
    or (status = 'SUSPENDED' or status = 'ACTIVE' and account_suspended) and machine_number is not null and power_state <> 'STOPPED'
    or status = 'ACTIVE' and not account_suspended and (
      machine_plan_code is distinct from plan_code
      or (select count(*) from address where server_id = server.id) < 1 + extra_ipv4
      or run_when_resumed
      or backups and next_backup_at <= ${at}::timestamptz
    )
    or exists (select from backup where server_id = server.id and expires_at <= ${at}::timestamptz)`,
  DEDICATED: () => sql`
    status = 'DECOMMISSIONED' and exists (select from bare_metal where server_id = server.id)
    or (status = 'SUSPENDED' or status = 'ACTIVE' and account_suspended) and power_state <> 'STOPPED'
    or status = 'ACTIVE' and not account_suspended and run_when_resumed`,
};

/** Ids of servers of a kind that may lack something, and on which no operation runs. */
export async function unsettledServers(em: EntityManager, kind: ServerRow['kind'], at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from server where kind = ${kind} and ${NOTHING_UNDER_WAY} and (${MAY_LACK[kind](at)}) order by id limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}
