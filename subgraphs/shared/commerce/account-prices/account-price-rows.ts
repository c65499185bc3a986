// Table account_price. Each seller has it in its own schema; the search path of its role selects it.
import { sql } from 'kysely';
import { batched, grouped } from '#platform/batched.ts';
import type { EntityManager } from '#platform/database.ts';
import type { AccountPrice } from './account-price.ts';

const COLUMNS = sql`id, account_id as "accountId", item, price, off_basis_points as "offBasisPoints", valid_from as "from", valid_until as until,
  set_at as "setAt", set_by as "setBy", reason, ended_at as "endedAt"`;

const toAccountPrice = (row: AccountPrice): AccountPrice => ({
  ...row,
  from: new Date(row.from),
  until: row.until && new Date(row.until),
  setAt: new Date(row.setAt),
  endedAt: row.endedAt && new Date(row.endedAt),
});

/** Every price that an account has had, the earliest first. */
export const pricesOfAccount = batched(async (em, accountIds) => {
  const { rows } = await sql<AccountPrice>`
    select ${COLUMNS} from account_price where account_id = any(${accountIds}::text[]) order by valid_from, set_at, id`.execute(
    em.getKysely(),
  );
  return grouped(rows.map(toAccountPrice), accountIds, ({ accountId }) => accountId);
});

/** One, locked until the transaction ends. */
export async function lockAccountPrice(em: EntityManager, id: string): Promise<AccountPrice | undefined> {
  const { rows } = await sql<AccountPrice>`select ${COLUMNS} from account_price where id = ${id} for update`.execute(em.getKysely());
  return rows[0] && toAccountPrice(rows[0]);
}

export async function insertAccountPrice(em: EntityManager, row: Omit<AccountPrice, 'endedAt'>): Promise<void> {
  const { id, accountId, item, price, offBasisPoints, from, until, setAt, setBy, reason } = row;
  await sql`insert into account_price (id, account_id, item, price, off_basis_points, valid_from, valid_until, set_at, set_by, reason) values
    (${id}, ${accountId}, ${item}, ${price === null ? null : JSON.stringify(price)}::jsonb, ${offBasisPoints}, ${from}, ${until}, ${setAt}, ${setBy}, ${reason})`.execute(
    em.getKysely(),
  );
}

export async function markEnded(em: EntityManager, id: string, at: Date, by: string): Promise<void> {
  await sql`update account_price set ended_at = ${at}, ended_by = ${by} where id = ${id}`.execute(em.getKysely());
}
