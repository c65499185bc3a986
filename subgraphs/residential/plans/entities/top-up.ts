// The table residential.top_up: orders that have added bytes to a plan. Rows are written under the lock of the plan's row.
import { type EntityManager, runStatement } from '#platform/database.ts';

export interface TopUp {
  orderId: string;
  bytes: bigint;
  takenBackAt: Date | null;
  createdAt: Date;
}

interface TopUpRow {
  order_id: string;
  bytes: string;
  taken_back_at: string | Date | null;
  created_at: string | Date;
}

const toTopUp = (row: TopUpRow): TopUp => ({
  orderId: row.order_id,
  bytes: BigInt(row.bytes),
  takenBackAt: row.taken_back_at === null ? null : new Date(row.taken_back_at),
  createdAt: new Date(row.created_at),
});

/** The top-ups of a plan, the oldest first. */
export async function topUpsOf(em: EntityManager, planId: string): Promise<TopUp[]> {
  const rows = await runStatement<TopUpRow>(
    em,
    'select order_id, bytes, taken_back_at, created_at from residential.top_up where plan_id = $1 order by created_at, order_id',
    [planId],
  );
  return rows.map(toTopUp);
}

/** Adds the bytes of an order to its plan, unless they were added before. */
export async function addTopUp(
  em: EntityManager,
  { orderId, planId, bytes, at }: { orderId: string; planId: string; bytes: bigint; at: Date },
): Promise<void> {
  await runStatement(
    em,
    `with added as (
       insert into residential.top_up (order_id, plan_id, bytes, created_at) values ($1, $2, $3, $4) on conflict do nothing returning plan_id, bytes)
     update residential.plan p set total_bytes = p.total_bytes + added.bytes from added where p.id = added.plan_id returning p.id`,
    [orderId, planId, bytes.toString(), at.toISOString()],
  );
}

/** Marks a top-up as taken back; `usedBytes` is what of it was used and stays. */
export async function markTakenBack(em: EntityManager, orderId: string, usedBytes: bigint, at: Date): Promise<void> {
  await runStatement(em, 'update residential.top_up set bytes = $2, taken_back_at = $3 where order_id = $1', [
    orderId,
    usedBytes.toString(),
    at.toISOString(),
  ]);
}

/** The plan of an order, whether it made the plan or topped it up. */
export async function planOfPurchase(em: EntityManager, orderId: string): Promise<string | undefined> {
  const [row] = await runStatement<{ id: string }>(
    em,
    'select id from residential.plan where order_id = $1 union all select plan_id from residential.top_up where order_id = $1',
    [orderId],
  );
  return row?.id;
}
