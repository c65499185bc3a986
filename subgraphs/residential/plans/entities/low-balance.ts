// What the owner of a plan was notified of as it ran out: columns of residential.plan.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import type { AlertMarks } from '../domain/low-balance.ts';

interface NotifiedMarks {
  id: string;
  /** The highest mark of percent, and the lowest of bytes left, that the owner was notified of. */
  percent: number;
  leftBytes: bigint | null;
}

const columnsOf = (marks: readonly NotifiedMarks[]) => [
  marks.map(({ id }) => id),
  marks.map(({ percent }) => percent),
  marks.map(({ leftBytes }) => leftBytes?.toString() ?? null),
];

/** Stores up to which marks each plan's owner was notified. Passing a mark sets `low_balance`, which stays set until the balance is resolved. */
export async function saveNotifiedMarks(em: EntityManager, marks: readonly NotifiedMarks[]): Promise<void> {
  await runStatement(
    em,
    `update residential.plan p set told_percent = t.percent, told_left_bytes = t.left_bytes,
       low_balance = t.percent > p.told_percent or coalesce(t.left_bytes < coalesce(p.told_left_bytes, t.left_bytes + 1), false)
         or (p.low_balance and t.percent = p.told_percent and (t.left_bytes is not null or p.told_left_bytes is null))
     from unnest($1::text[], $2::smallint[], $3::bigint[]) as t(id, percent, left_bytes) where p.id = t.id`,
    columnsOf(marks),
  );
}

/** Stores the owner's own marks. Marks that are reached already count as notified. */
export async function saveAlerts(em: EntityManager, { percents, leftBytes }: AlertMarks, told: NotifiedMarks): Promise<void> {
  await runStatement(
    em,
    `update residential.plan set alert_percents = $2, alert_left_bytes = $3, told_percent = $4, told_left_bytes = $5 where id = $1`,
    [told.id, percents, leftBytes.map(String), told.percent, told.leftBytes?.toString() ?? null],
  );
}

/** Clears `low_balance` of the account's plans of a product, and returns them. They are locked in the order of ids, as reports lock plans. */
export async function resolveLowBalances(
  em: EntityManager,
  accountId: string,
  product: ProductCode,
): Promise<{ id: string; notifiedPercent: number }[]> {
  const rows = await runStatement<{ id: string; told_percent: number }>(
    em,
    `update residential.plan set low_balance = false where id in (
       select id from residential.plan where account_id = $1 and product = $2 and low_balance order by id for no key update
     ) returning id, told_percent`,
    [accountId, product],
  );
  return rows.map(({ id, told_percent }) => ({ id, notifiedPercent: told_percent }));
}
