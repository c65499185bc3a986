// The table static.client_network: networks from which a plan's addresses are used without a password, or in addition to it. Nodes are notified by triggers.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface PlanNetwork {
  id: string;
  planId: string;
  /** CIDR with zero host bits. */
  network: string;
  /** The address of the plan that it may use. Null: all of them. */
  ip: string | null;
  note: string;
  createdAt: Date;
  /** To the minute. Null: never. */
  usedAt: Date | null;
}

/** The networks of these plans, the oldest first. */
export async function networksOfPlans(em: EntityManager, planIds: readonly string[]): Promise<PlanNetwork[]> {
  const { rows } = await sql<PlanNetwork>`
    select n.id, n.plan_id as "planId", n.network::text as network, host(a.ip) as ip, n.note, n.created_at as "createdAt", n.used_at as "usedAt"
    from client_network n left join address a on a.id = n.address_id
    where n.plan_id = any(${[...planIds]}::text[]) order by n.created_at, n.id`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt), usedAt: row.usedAt && new Date(row.usedAt) }));
}

/** The plan of a network of the account. */
export async function planOfNetwork(em: EntityManager, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ planId: string }>`
    select plan_id as "planId" from client_network where id = ${id} and account_id = ${accountId}`.execute(em.getKysely());
  return rows[0]?.planId;
}

export interface NewPlanNetwork extends Pick<PlanNetwork, 'id' | 'planId' | 'network' | 'note' | 'createdAt'> {
  accountId: string;
  /** Null: all addresses of the plan. */
  addressId: string | null;
}

/** The plan must be locked, and must not have the network there. */
export async function insertNetwork(em: EntityManager, row: NewPlanNetwork): Promise<void> {
  await sql`
    insert into client_network (id, plan_id, account_id, address_id, network, note, created_at)
    values (${row.id}, ${row.planId}, ${row.accountId}, ${row.addressId}, ${row.network}::cidr, ${row.note}, ${row.createdAt}::timestamptz)`.execute(
    em.getKysely(),
  );
}

/** Returns the network that it was; undefined when it is gone already. */
export async function deleteNetwork(em: EntityManager, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ network: string }>`
    delete from client_network where id = ${id} returning network::text as network`.execute(em.getKysely());
  return rows[0]?.network;
}

export async function deleteNetworksOfPlan(em: EntityManager, planId: string): Promise<void> {
  await sql`delete from client_network where plan_id = ${planId}`.execute(em.getKysely());
}

/** Networks of an address that is exchanged are let in at the one that comes for it. */
export async function moveNetworks(em: EntityManager, pairs: readonly { goneId: string; cameId: string }[]): Promise<void> {
  await sql`
    update client_network set address_id = pair.came_id
    from unnest(${pairs.map(({ goneId }) => goneId)}::text[], ${pairs.map(({ cameId }) => cameId)}::text[]) as pair (gone_id, came_id)
    where address_id = pair.gone_id`.execute(em.getKysely());
}

/** Stores that somebody has just come from these networks, at most once a minute for each. */
export async function noteUsed(em: EntityManager, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update client_network set used_at = ${at}::timestamptz
    where id = any(${[...ids]}::text[]) and (used_at is null or used_at < ${at}::timestamptz - interval '1 minute')`.execute(
    em.getKysely(),
  );
}
