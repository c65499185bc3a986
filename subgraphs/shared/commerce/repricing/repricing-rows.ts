// Tables repricing and repriced. Each seller of subscriptions has them in its own schema; the search path of its role selects it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

/** What an operator has announced: subscriptions of `item` get the prices that the catalogue had at `pricedAt`, in periods from `appliesFrom` on. */
export interface Repricing {
  id: string;
  item: string;
  /** Null: of everybody's subscriptions of the item. */
  accountId: string | null;
  pricedAt: Date;
  appliesFrom: Date;
  reason: string;
  /** The account of a member of staff, or `command`. */
  announcedBy: string;
  withdrawnAt: Date | null;
  /** How many plans or servers wait for it. */
  waiting: number;
}

/** The latest are shown. */
const SHOWN = 50;

const COLUMNS = sql`id, item, account_id as "accountId", priced_at as "pricedAt", applies_from as "appliesFrom", reason, announced_by as "announcedBy", withdrawn_at as "withdrawnAt",
  (select count(*)::int from repriced where repricing_id = repricing.id) as waiting`;

const toRepricing = (row: Repricing): Repricing => ({
  ...row,
  pricedAt: new Date(row.pricedAt),
  appliesFrom: new Date(row.appliesFrom),
  withdrawnAt: row.withdrawnAt && new Date(row.withdrawnAt),
});

/** The latest repricings of the seller, the latest first, at most 50. */
export async function latestRepricings(em: EntityManager): Promise<Repricing[]> {
  const { rows } = await sql<Repricing>`select ${COLUMNS} from repricing order by priced_at desc, id desc limit ${SHOWN}`.execute(
    em.getKysely(),
  );
  return rows.map(toRepricing);
}

export async function repricingWithId(em: EntityManager, id: string): Promise<Repricing | undefined> {
  const { rows } = await sql<Repricing>`select ${COLUMNS} from repricing where id = ${id}`.execute(em.getKysely());
  return rows[0] && toRepricing(rows[0]);
}

/** The same, locked until the transaction ends: nobody withdraws it meanwhile. */
export async function lockRepricing(em: EntityManager, id: string): Promise<Repricing | undefined> {
  await sql`select from repricing where id = ${id} for update`.execute(em.getKysely());
  return repricingWithId(em, id);
}

export async function insertRepricing(em: EntityManager, row: Omit<Repricing, 'withdrawnAt' | 'waiting'>): Promise<void> {
  await sql`insert into repricing (id, item, account_id, priced_at, applies_from, reason, announced_by) values
    (${row.id}, ${row.item}, ${row.accountId}, ${row.pricedAt}, ${row.appliesFrom}, ${row.reason}, ${row.announcedBy})`.execute(
    em.getKysely(),
  );
}

export async function markWithdrawn(em: EntityManager, id: string, at: Date, by: string): Promise<void> {
  await sql`update repricing set withdrawn_at = ${at}, withdrawn_by = ${by} where id = ${id}`.execute(em.getKysely());
}

/** The repricing that a plan or server waits for. */
export async function repricingOf(em: EntityManager, resourceId: string): Promise<Repricing | undefined> {
  const { rows } = await sql<Repricing>`
    select ${COLUMNS} from repricing where id = (select repricing_id from repriced where resource_id = ${resourceId})`.execute(
    em.getKysely(),
  );
  return rows[0] && toRepricing(rows[0]);
}

/** The repricings of one account's subscriptions of an item to the prices of a moment that are not withdrawn. */
export async function repricingsOfAccount(
  em: EntityManager,
  { accountId, item, at }: { accountId: string; item: string; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from repricing where account_id = ${accountId} and item = ${item} and priced_at = ${at}::timestamptz and withdrawn_at is null
    order by id`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** A plan or server waits for this repricing, and for no earlier one. */
export async function storeRepriced(em: EntityManager, resourceId: string, repricingId: string): Promise<void> {
  await sql`insert into repriced (resource_id, repricing_id) values (${resourceId}, ${repricingId})
    on conflict (resource_id) do update set repricing_id = excluded.repricing_id`.execute(em.getKysely());
}

/** A plan or server waits for this repricing no more; without one, for none. */
export async function dropRepriced(em: EntityManager, resourceId: string, repricingId?: string): Promise<void> {
  await sql`delete from repriced where resource_id = ${resourceId} and repricing_id = coalesce(${repricingId ?? null}, repricing_id)`.execute(
    em.getKysely(),
  );
}

/** The plans or servers that wait for a repricing, after an id; ascending. */
export async function repricedAfter(em: EntityManager, repricingId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select resource_id as id from repriced where repricing_id = ${repricingId} and resource_id > ${after}
    order by resource_id limit ${limit}`.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
