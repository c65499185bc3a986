// The table residential.proxy_batch: one row per generation.
import { CompiledQuery } from 'kysely';
import type { EntityManager } from '#shared/database.ts';
import type { Generation } from '../domain/generation.ts';

/** What the lines of a new batch are made with: read in the statement that takes the session numbers, so that a reset at the same moment comes before or after. */
export interface BatchSeed {
  sessionStart: number | null;
  passwordSealed: Buffer;
}

const TAKE = `
  with taken as (
    update residential.plan set session_next = session_next + $3::bigint where id = $2
    returning session_next - $3::bigint as session_start, password_sealed, credential_epoch
  ), stored as (
    insert into residential.proxy_batch (id, plan_id, session_start, line_count, input, credential_epoch, created_at, api_key_id)
    select $1, $2, case when $3::bigint > 0 then session_start end, $4::int, $5::jsonb, credential_epoch, $6::timestamptz, $7::text from taken
  )
  select case when $3::bigint > 0 then session_start end as session_start, password_sealed from taken`;

/** Stores a batch and takes the plan's next session numbers for it: as many as lines, none for rotating ones. */
export async function takeBatch(
  em: EntityManager,
  batch: { id: string; planId: string; count: number; input: Generation; apiKeyId: string | null },
  now: Date,
): Promise<BatchSeed> {
  const numbers = batch.input.session === 'STICKY' ? batch.count : 0;
  const { rows } = await em
    .getKysely()
    .executeQuery<{ session_start: string | null; password_sealed: Buffer }>(
      CompiledQuery.raw(TAKE, [
        batch.id,
        batch.planId,
        numbers,
        batch.count,
        JSON.stringify(batch.input),
        now.toISOString(),
        batch.apiKeyId,
      ]),
    );
  const row = rows[0];
  if (!row) throw new Error(`plan ${batch.planId} is gone`);
  return { sessionStart: row.session_start === null ? null : Number(row.session_start), passwordSealed: row.password_sealed };
}
