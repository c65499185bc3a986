// The table compute.hand_work: operations that wait for a person at the datacenter.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface ManualTaskRow {
  operationId: string;
  serverId: string;
  claimedBy: string | null;
  claimedAt: Date | null;
  doneAt: Date | null;
  refused: string | null;
}

const TASKS = sql`select operation_id as "operationId", operation.server_id as "serverId", claimed_by as "claimedBy", claimed_at as "claimedAt",
  done_at as "doneAt", refused from hand_work join operation on operation.id = operation_id`;
const asDate = (value: Date | null): Date | null => (value === null ? null : new Date(value));
const toRow = (row: ManualTaskRow): ManualTaskRow => ({ ...row, claimedAt: asDate(row.claimedAt), doneAt: asDate(row.doneAt) });

export async function openManualTask(em: EntityManager, operationId: string): Promise<void> {
  await sql`insert into hand_work (operation_id) values (${operationId}) on conflict do nothing`.execute(em.getKysely());
}

export async function manualTaskOf(em: EntityManager, operationId: string): Promise<ManualTaskRow | undefined> {
  const { rows } = await sql<ManualTaskRow>`${TASKS} where operation_id = ${operationId}`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

/** Waiting tasks, the longest waiting first. */
export async function waitingManualTasks(em: EntityManager): Promise<ManualTaskRow[]> {
  const { rows } = await sql<ManualTaskRow>`${TASKS} where operation.status = 'RUNNING' and done_at is null and refused is null
    order by operation.started_at, operation_id`.execute(em.getKysely());
  return rows.map(toRow);
}

/** Returns false when the task no longer waits, or somebody else has claimed it. */
export async function claimManualTask(em: EntityManager, operationId: string, { by, at }: { by: string; at: Date }): Promise<boolean> {
  const { rows } = await sql`
    update hand_work set claimed_by = ${by}, claimed_at = coalesce(claimed_at, ${at}::timestamptz)
    where operation_id = ${operationId} and done_at is null and refused is null and coalesce(claimed_by, ${by}) = ${by} returning operation_id`.execute(
    em.getKysely(),
  );
  return rows.length === 1;
}

export async function endManualTask(em: EntityManager, operationId: string, end: { at: Date } | { refused: string }): Promise<void> {
  await sql`update hand_work set done_at = ${'at' in end ? end.at : null}::timestamptz, refused = ${'refused' in end ? end.refused : null}
    where operation_id = ${operationId}`.execute(em.getKysely());
}
