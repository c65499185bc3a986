// The ends of plans: columns of residential.plan, and the table residential.lapse. Written under the lock of the plan's row.
import { type EntityManager, runStatement } from '#platform/database.ts';

/** Sets until when a plan is valid; null: for ever. */
export async function setValidity(em: EntityManager, id: string, validUntil: Date | null): Promise<void> {
  await runStatement(em, 'update residential.plan set valid_until = $2 where id = $1', [id, validUntil?.toISOString() ?? null]);
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
