// The tables static.replacement and static.replacement_pair: exchanges of addresses, prepared or done.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { ReplacementAsker, ReplacementReason } from '../domain/replacement.ts';

export interface ReplacementPair {
  goneId: string;
  cameId: string;
  gone: string;
  came: string;
  /** The place of the new address. */
  location: string;
}

export interface Replacement {
  id: string;
  planId: string;
  reason: ReplacementReason;
  askedBy: ReplacementAsker;
  counted: number;
  createdAt: Date;
  doneAt: Date | null;
  /** When a prepared exchange lapses; null once it is done. */
  expiresAt: Date | null;
  pairs: ReplacementPair[];
}

export type NewReplacement = Pick<Replacement, 'id' | 'planId' | 'reason' | 'askedBy' | 'counted' | 'createdAt'>;

export async function insertReplacement(
  em: EntityManager,
  { id, planId, reason, askedBy, counted, createdAt }: NewReplacement,
  pairs: readonly { goneId: string; cameId: string }[],
): Promise<void> {
  const db = em.getKysely();
  await sql`insert into replacement (id, plan_id, reason, asked_by, counted, created_at)
    values (${id}, ${planId}, ${reason}, ${askedBy}, ${counted}, ${createdAt}::timestamptz)`.execute(db);
  await sql`insert into replacement_pair (replacement_id, gone_id, came_id)
    select ${id}, * from unnest(${pairs.map(({ goneId }) => goneId)}::text[], ${pairs.map(({ cameId }) => cameId)}::text[])`.execute(db);
}

/** Marks an exchange as done, and gives the new addresses the labels of those that they replace. */
export async function finishReplacement(em: EntityManager, id: string, labels: ReadonlyMap<string, string>, at: Date): Promise<void> {
  const db = em.getKysely();
  await sql`update replacement set done_at = ${at}::timestamptz where id = ${id}`.execute(db);
  await sql`update address set label = named.label from unnest(${[...labels.keys()]}::text[], ${[...labels.values()]}::text[]) as named (gone_id, label)
    join replacement_pair pair on pair.replacement_id = ${id} and pair.gone_id = named.gone_id where address.id = pair.came_id`.execute(db);
}

const SELECT = sql`
  select one.id, one.plan_id as "planId", reason, asked_by as "askedBy", counted, one.created_at as "createdAt", done_at as "doneAt",
    (select expires_at from hold where hold.id = one.id) as "expiresAt",
    (select json_agg(json_build_object('goneId', gone.id, 'cameId', came.id, 'gone', host(gone.ip), 'came', host(came.ip), 'location', came.location)
        order by gone.ip)
      from replacement_pair pair join address gone on gone.id = pair.gone_id join address came on came.id = pair.came_id
      where pair.replacement_id = one.id) as pairs`;

const toReplacement = (row: Replacement): Replacement => ({
  ...row,
  createdAt: new Date(row.createdAt),
  doneAt: row.doneAt && new Date(row.doneAt),
  expiresAt: row.expiresAt && new Date(row.expiresAt),
});

export async function replacementById(em: EntityManager, id: string): Promise<Replacement | undefined> {
  const { rows } = await sql<Replacement>`${SELECT} from replacement one where one.id = ${id}`.execute(em.getKysely());
  return rows.map(toReplacement)[0];
}

const MAX_SHOWN = 100;

/** Exchanges done on these plans, newest first, the last hundred of each plan. */
export async function doneReplacementsOf(em: EntityManager, planIds: readonly string[]): Promise<Replacement[]> {
  const { rows } = await sql<Replacement>`${SELECT}
    from unnest(${[...planIds]}::text[]) as wanted (plan_id) cross join lateral (
      select * from replacement where replacement.plan_id = wanted.plan_id and done_at is not null order by created_at desc limit ${MAX_SHOWN}
    ) one order by one.created_at desc`.execute(em.getKysely());
  return rows.map(toReplacement);
}

/** How many exchanged addresses of these plans count against the allowance since an instant. Plans without any are absent. */
export async function countedReplacements(em: EntityManager, planIds: readonly string[], since: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ planId: string; counted: number }>`
    select plan_id as "planId", sum(counted)::int as counted from replacement
    where plan_id = any(${[...planIds]}::text[]) and done_at >= ${since}::timestamptz group by plan_id`.execute(em.getKysely());
  return new Map(rows.map(({ planId, counted }) => [planId, counted]));
}

/** Ids of a plan's exchanges that are prepared, not done, and still hold addresses. */
export async function preparedReplacements(em: EntityManager, planId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select replacement.id from replacement join hold on hold.id = replacement.id where plan_id = ${planId} and done_at is null`.execute(
    em.getKysely(),
  );
  return rows.map(({ id }) => id);
}
