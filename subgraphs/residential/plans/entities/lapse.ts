// The ends of plans: columns of residential.plan, and the table residential.lapse. Written under the lock of the plan's row.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { EndMark } from '../domain/validity.ts';

/** Sets until when a plan is valid, null: for ever, and the mark of it that is reached now. */
export async function setValidity(em: EntityManager, id: string, validUntil: Date | null, mark: EndMark | null): Promise<void> {
  await runStatement(em, 'update residential.plan set valid_until = $2, told_valid_days = $3 where id = $1', [
    id,
    validUntil?.toISOString() ?? null,
    mark,
  ]);
}

/** Plans with bytes left whose end comes until `until` (`$2`), and whose owner was not told of this mark (`$3`) or a lower one; `$1` is now. */
const NEAR_END = `valid_until > $1 and valid_until <= $2 and lapsed_bytes is null and not withdrawn and up_bytes + down_bytes < total_bytes
  and (told_valid_days is null or told_valid_days > $3)`;

/** Their ids, the earliest end first. */
export async function plansNearEnd(em: EntityManager, now: Date, { mark, until }: NearEnd, limit: number): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(em, `select id from residential.plan where ${NEAR_END} order by valid_until limit $4`, [
    now.toISOString(),
    until.toISOString(),
    mark,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Notes that their owners are told, and returns those of these plans of which it is so. The plans must be locked. */
export async function noteNearEnd(em: EntityManager, now: Date, { mark, until }: NearEnd, ids: readonly string[]): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(
    em,
    `update residential.plan set told_valid_days = $3 where id = any($4) and ${NEAR_END} returning id`,
    [now.toISOString(), until.toISOString(), mark, ids],
  );
  return rows.map(({ id }) => id);
}

interface NearEnd {
  mark: EndMark;
  until: Date;
}

/** Notes how many bytes of a plan have lapsed in all. A row has what that adds to the notes before; less than nothing: bytes that were used before are reported after it. */
export async function noteLapse(em: EntityManager, id: string, lapsedBytes: bigint, at: Date): Promise<void> {
  await runStatement(em, 'update residential.plan set lapsed_bytes = $2, low_balance = false where id = $1', [id, lapsedBytes.toString()]);
  await runStatement(
    em,
    `insert into residential.lapse (plan_id, bytes, at) select $1, $2::bigint - coalesce(sum(bytes), 0)::bigint, $3 from residential.lapse where plan_id = $1
     having $2::bigint <> coalesce(sum(bytes), 0)`,
    [id, lapsedBytes.toString(), at.toISOString()],
  );
}

/** Ids of plans whose end has come and is not noted yet, the earliest first. */
export async function plansToLapse(em: EntityManager, now: Date, limit: number): Promise<string[]> {
  const rows = await runStatement<{ id: string }>(
    em,
    `select id from residential.plan where valid_until <= $1 and valid_until is not null and lapsed_bytes is null and not withdrawn
     order by valid_until limit $2`,
    [now.toISOString(), limit],
  );
  return rows.map(({ id }) => id);
}
