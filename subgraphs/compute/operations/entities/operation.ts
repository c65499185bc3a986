// The table compute.operation. One process at a time claims an operation: each claim is counted, and only the last one may write.
import { sql } from 'kysely';
import { HOUR, after } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import { type Command, LEASE_MS, type OperationStatus, type Step, commandTerms, stepTerms } from '../domain/operation.ts';

export interface OperationRow {
  id: string;
  serverId: string;
  accountId: string;
  command: Command;
  status: OperationStatus;
  step: Step;
  work: string | null;
  tries: number;
  rebuilds: number;
  claims: number;
  stepDeadline: Date | null;
  deadline: Date | null;
  secretSealed: Buffer | null;
  /** The backup that a restore restores. */
  backupId: string | null;
  /** Whether the schedule began this backup. */
  scheduled: boolean;
  /** The node that a machine moves to. */
  target: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
  /** The last trouble, in a vendor's words, for those who operate the platform. */
  trouble: string | null;
}

const COLUMNS = sql`id, server_id as "serverId", account_id as "accountId", command, status, step, work, tries, rebuilds, claims,
  step_deadline as "stepDeadline", deadline, secret_sealed as "secretSealed", backup_id as "backupId", scheduled, target, started_at as "startedAt", finished_at as "finishedAt",
  error_code as "errorCode", error_message as "errorMessage", last_trouble as trouble`;

const asDate = (value: Date | null): Date | null => (value === null ? null : new Date(value));
const toRow = (row: OperationRow): OperationRow => ({
  ...row,
  startedAt: new Date(row.startedAt),
  finishedAt: asDate(row.finishedAt),
  deadline: asDate(row.deadline),
  stepDeadline: asDate(row.stepDeadline),
});

const deadlineOf = (at: Date, withinMs: number | null): Date | null => (withinMs === null ? null : after(at, withinMs));

/** Stores a new operation; undefined when another one runs on the server. */
export async function insertOperation(
  em: EntityManager,
  operation: {
    id: string;
    serverId: string;
    accountId: string;
    command: Command;
    at: Date;
    secretSealed?: Buffer;
    backupId?: string;
    scheduled?: boolean;
    target?: string;
  },
): Promise<OperationRow | undefined> {
  const { id, serverId, accountId, command, at } = operation;
  const { first, withinMs } = commandTerms(serverId, command);
  const { rows } = await sql<OperationRow>`
    insert into operation (id, server_id, account_id, command, step, next_at, step_deadline, deadline, secret_sealed, backup_id, scheduled, target, started_at)
    values (${id}, ${serverId}, ${accountId}, ${command}, ${first}, ${at}::timestamptz, ${deadlineOf(at, stepTerms(serverId, first).withinMs)}::timestamptz,
      ${deadlineOf(at, withinMs)}::timestamptz, ${operation.secretSealed ?? null}, ${operation.backupId ?? null},
      ${operation.scheduled ?? false}, ${operation.target ?? null}, ${at}::timestamptz)
    on conflict (server_id) where status = 'RUNNING' do nothing returning ${COLUMNS}`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

/** Claims an operation; undefined when it has ended, is not due, or is claimed by another process. */
export async function claimOperation(em: EntityManager, id: string, at: Date): Promise<OperationRow | undefined> {
  const { rows } = await sql<OperationRow>`
    update operation set claims = claims + 1, next_at = ${after(at, LEASE_MS)}::timestamptz
    where id = ${id} and status = 'RUNNING' and next_at <= ${at}::timestamptz returning ${COLUMNS}`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

export interface OperationChange {
  step: Step;
  work: string | null;
  tries: number;
  rebuilds: number;
  nextAt: Date;
  stepDeadline: Date | null;
  trouble: string | null;
}

/** Returns false when another process has claimed it meanwhile, or it has ended. */
export async function saveOperation(em: EntityManager, { id, claims }: OperationRow, change: OperationChange): Promise<boolean> {
  const { rows } = await sql`
    update operation set step = ${change.step}, work = ${change.work}, tries = ${change.tries}, rebuilds = ${change.rebuilds},
      next_at = ${change.nextAt}::timestamptz, step_deadline = ${change.stepDeadline}::timestamptz, last_trouble = ${change.trouble}
    where id = ${id} and claims = ${claims} and status = 'RUNNING' returning id`.execute(em.getKysely());
  return rows.length === 1;
}

/** Ends an operation, under the same condition. `error` null: it succeeded. */
export async function endOperation(
  em: EntityManager,
  { id, claims }: Pick<OperationRow, 'id' | 'claims'>,
  at: Date,
  error: { code: string; message: string } | null,
): Promise<boolean> {
  const { rows } = await sql`
    update operation set status = ${error ? 'ERROR' : 'SUCCESS'}, finished_at = ${at}::timestamptz, error_code = ${error?.code ?? null},
      error_message = ${error?.message ?? null}, secret_sealed = null
    where id = ${id} and claims = ${claims} and status = 'RUNNING' returning id`.execute(em.getKysely());
  return rows.length === 1;
}

/** The newest first. `after`: those that began before this one, which is of the same server; else none. */
export async function operationsOfServer(em: EntityManager, serverId: string, limit: number, after?: string): Promise<OperationRow[]> {
  const older =
    after === undefined
      ? sql``
      : sql`and (started_at, id) < (select started_at, id from operation where id = ${after} and server_id = ${serverId})`;
  const { rows } = await sql<OperationRow>`
    select ${COLUMNS} from operation where server_id = ${serverId} ${older} order by started_at desc, id desc limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(toRow);
}

export async function operationsByIds(em: EntityManager, ids: readonly string[]): Promise<OperationRow[]> {
  const { rows } = await sql<OperationRow>`select ${COLUMNS} from operation where id = any(${ids}::text[])`.execute(em.getKysely());
  return rows.map(toRow);
}

export async function runningOperation(em: EntityManager, serverId: string): Promise<OperationRow | undefined> {
  const { rows } = await sql<OperationRow>`
    select ${COLUMNS} from operation where server_id = ${serverId} and status = 'RUNNING'`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

/** Running operations that began at `before` or earlier and have trouble, and all that began more than an hour before that; the oldest first. */
export async function stuckOperations(em: EntityManager, before: Date, limit: number): Promise<OperationRow[]> {
  const { rows } = await sql<OperationRow>`
    select ${COLUMNS} from operation where status = 'RUNNING' and started_at <= ${before}::timestamptz
      and (tries > 0 or last_trouble is not null or started_at <= ${after(before, -HOUR)}::timestamptz)
    order by started_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map(toRow);
}

/** How many machines are moved away from a node now. */
export async function movesFrom(em: EntityManager, node: string): Promise<number> {
  const { rows } = await sql<{ moves: number }>`
    select count(*)::int as moves from operation join server on server.id = server_id
    where command = 'MOVE' and operation.status = 'RUNNING' and work is not null and server.node = ${node}`.execute(em.getKysely());
  return rows[0]?.moves ?? 0;
}

/** Ids of operations that are due and not claimed, the longest waiting first. */
export async function dueOperations(em: EntityManager, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from operation where status = 'RUNNING' and next_at <= ${at}::timestamptz order by next_at limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}

/** Makes an operation due now instead of at its usual time. */
export async function hurryOperation(em: EntityManager, id: string, at: Date): Promise<void> {
  await sql`update operation set next_at = least(next_at, ${at}::timestamptz) where id = ${id} and status = 'RUNNING'`.execute(
    em.getKysely(),
  );
}
