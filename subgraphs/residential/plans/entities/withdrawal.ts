// Takes bytes of a plan back. Its total never falls below what is used and what nodes hold leases of, since those bytes may be spent already.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { PlanBytes } from '../domain/top-up.ts';

/** A plan, locked until the transaction ends: its owner, what was sold and used, and what nodes hold of it. */
export async function lockToWithdraw(
  em: EntityManager,
  id: string,
): Promise<(PlanBytes & { accountId: string; withdrawn: boolean; validUntil: Date | null; ownTakenBack: boolean }) | undefined> {
  const [row] = await runStatement<{
    account_id: string;
    order_id: string;
    withdrawn: boolean;
    valid_until: string | Date | null;
    own_order_taken_back: boolean;
    total: string;
    used: string;
  }>(
    em,
    `select account_id, order_id, withdrawn, valid_until, own_order_taken_back, total_bytes as total, up_bytes + down_bytes as used
     from residential.plan where id = $1 for no key update`,
    [id],
  );
  if (!row) return undefined;
  // This is read after the lock, which everyone holds who leases or settles bytes of the plan.
  const [leased] = await runStatement<{ bytes: string }>(
    em,
    'select coalesce(sum(granted_bytes - settled_bytes), 0)::bigint as bytes from residential.lease where plan_id = $1 and open',
    [id],
  );
  return {
    accountId: row.account_id,
    orderId: row.order_id,
    withdrawn: row.withdrawn,
    validUntil: row.valid_until === null ? null : new Date(row.valid_until),
    ownTakenBack: row.own_order_taken_back,
    totalBytes: BigInt(row.total),
    usedBytes: BigInt(row.used),
    leasedBytes: BigInt(leased?.bytes ?? 0),
  };
}

/** Lowers the total of a plan. */
export async function lowerTotal(em: EntityManager, id: string, totalBytes: bigint): Promise<void> {
  await runStatement(em, 'update residential.plan set total_bytes = $2 where id = $1', [id, totalBytes.toString()]);
}

/** Ends a plan: no more of it is leased, and its owner is not told that it ran out. */
export async function endPlan(em: EntityManager, id: string, totalBytes: bigint): Promise<void> {
  await runStatement(
    em,
    `update residential.plan set withdrawn = true, total_bytes = $2, announced_status = 'EXPIRED', told_percent = 100, low_balance = false where id = $1`,
    [id, totalBytes.toString()],
  );
}

/** Marks the bytes of the order that made the plan as taken back. */
export async function markOwnTakenBack(em: EntityManager, id: string): Promise<void> {
  await runStatement(em, 'update residential.plan set own_order_taken_back = true where id = $1', [id]);
}
