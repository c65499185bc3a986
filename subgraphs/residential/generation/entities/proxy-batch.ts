// The table residential.proxy_batch: one row per generation.
import { type EntityManager, type PreparedStatement, runPrepared, runStatement } from '#platform/database.ts';
import type { Generation } from '../domain/generation.ts';

/**
 * What the lines of a new batch are made from. It is read in the statement that takes the session numbers, so that a reset at the same moment comes wholly
 * before it or after it.
 */
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

/** Stores a batch and takes the plan's next session numbers for it: one for each sticky line, none for rotating lines. */
export async function takeBatch(
  em: EntityManager,
  batch: { id: string; planId: string; count: number; input: Generation; apiKeyId: string | null },
  now: Date,
): Promise<BatchSeed> {
  const numbers = batch.input.session === 'STICKY' ? batch.count : 0;
  const [row] = await runStatement<{ session_start: string | null; password_sealed: Buffer }>(em, TAKE, [
    batch.id,
    batch.planId,
    numbers,
    batch.count,
    JSON.stringify(batch.input),
    now.toISOString(),
    batch.apiKeyId,
  ]);
  if (!row) throw new Error(`plan ${batch.planId} is gone`);
  return { sessionStart: row.session_start === null ? null : Number(row.session_start), passwordSealed: row.password_sealed };
}

/** A stored batch, with the account and the credential epoch of its plan. */
export interface StoredBatch {
  id: string;
  planId: string;
  accountId: string;
  count: number;
  input: Generation;
  sessionStart: number | null;
  /** The credential epoch of the password in the lines, and the plan's epoch now. */
  epoch: number;
  planEpoch: number;
  createdAt: Date;
  apiKeyId: string | null;
  addressMadeAt: Date | null;
}

interface BatchRow {
  id: string;
  plan_id: string;
  account_id: string;
  line_count: number;
  input: Generation;
  session_start: string | null;
  credential_epoch: number;
  plan_epoch: number;
  created_at: string | Date;
  api_key_id: string | null;
  address_made_at: string | Date | null;
}

const COLUMNS = `b.id, b.plan_id, p.account_id, b.line_count, b.input, b.session_start, b.credential_epoch, p.credential_epoch as plan_epoch,
  b.created_at, b.api_key_id, b.address_made_at`;
const FROM = 'from residential.proxy_batch b join residential.plan p on p.id = b.plan_id';
const OWN = { name: 'batch_own', text: `select ${COLUMNS} ${FROM} where b.id = $1 and p.account_id = $2` };
const BY_ADDRESS = { name: 'batch_by_address', text: `select ${COLUMNS} ${FROM} where b.address_hash = $1` };
const OF_PLAN = {
  name: 'batches_of_plan',
  text: `select ${COLUMNS} ${FROM} where b.plan_id = $1 order by b.created_at desc, b.id desc limit $2`,
};
const OF_PLAN_AFTER = {
  name: 'batches_of_plan_after',
  text: `select ${COLUMNS} ${FROM} where b.plan_id = $1
    and (b.created_at, b.id) < (select created_at, id from residential.proxy_batch where id = $3 and plan_id = $1) order by b.created_at desc, b.id desc limit $2`,
};
const SET_ADDRESS = {
  name: 'batch_set_address',
  text: 'update residential.proxy_batch set address_hash = $2, address_made_at = $3::timestamptz where id = $1',
};

const toBatch = (row: BatchRow): StoredBatch => ({
  id: row.id,
  planId: row.plan_id,
  accountId: row.account_id,
  count: row.line_count,
  input: row.input,
  sessionStart: row.session_start === null ? null : Number(row.session_start),
  epoch: row.credential_epoch,
  planEpoch: row.plan_epoch,
  createdAt: new Date(row.created_at),
  apiKeyId: row.api_key_id,
  addressMadeAt: row.address_made_at === null ? null : new Date(row.address_made_at),
});

const read = async (em: EntityManager, statement: PreparedStatement, ...values: unknown[]): Promise<StoredBatch[]> =>
  (await runPrepared<BatchRow>(em, statement, values)).map(toBatch);

/** The account's batch of this id; undefined when there is none or it is another account's. */
export const ownBatch = async (em: EntityManager, accountId: string, id: string): Promise<StoredBatch | undefined> =>
  (await read(em, OWN, id, accountId))[0];

export const batchOfAddress = async (em: EntityManager, addressHash: string): Promise<StoredBatch | undefined> =>
  (await read(em, BY_ADDRESS, addressHash))[0];

/** Batches of a plan, newest first, beginning after the batch `after`. */
export const batchesOfPlan = (em: EntityManager, planId: string, first: number, after: string | undefined): Promise<StoredBatch[]> =>
  after === undefined ? read(em, OF_PLAN, planId, first) : read(em, OF_PLAN_AFTER, planId, first, after);

/** Stores the address of a batch; null removes it. */
export const setAddress = async (em: EntityManager, id: string, address: { hash: string; madeAt: Date } | null): Promise<void> =>
  void (await runPrepared(em, SET_ADDRESS, [id, address?.hash ?? null, address?.madeAt.toISOString() ?? null]));
