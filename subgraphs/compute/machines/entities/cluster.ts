// The table compute.cluster: the clusters of the hypervisor, and whether they answer.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface ClusterRow {
  name: string;
  location: string;
  paused: boolean;
  /** Both null: the settings have them. */
  terms: object | null;
  secretsSealed: Buffer | null;
  silentSince: Date | null;
  trouble: string | null;
  triedAt: Date | null;
}

const CLUSTERS = sql`select name, location, paused, terms, secrets_sealed as "secretsSealed", silent_since as "silentSince", trouble,
  tried_at as "triedAt" from cluster`;

const toRow = (row: ClusterRow): ClusterRow => ({
  ...row,
  silentSince: row.silentSince && new Date(row.silentSince),
  triedAt: row.triedAt && new Date(row.triedAt),
});

/** Every cluster, the first one first. */
export async function clusterRows(em: EntityManager): Promise<ClusterRow[]> {
  const { rows } = await sql<ClusterRow>`${CLUSTERS} order by name <> 'main', name`.execute(em.getKysely());
  return rows.map(toRow);
}

/** A cluster, locked until the transaction ends. */
export async function lockCluster(em: EntityManager, name: string): Promise<ClusterRow | undefined> {
  const { rows } = await sql<ClusterRow>`${CLUSTERS} where name = ${name} for update`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

/** Returns false when there is one of this name. */
export async function insertCluster(
  em: EntityManager,
  { name, location, paused, terms, secretsSealed }: Pick<ClusterRow, 'name' | 'location' | 'paused' | 'terms' | 'secretsSealed'>,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`insert into cluster (name, location, paused, terms, secrets_sealed, created_at)
    values (${name}, ${location}, ${paused}, ${JSON.stringify(terms)}::jsonb, ${secretsSealed}, ${at}::timestamptz)
    on conflict (name) do nothing returning name`.execute(em.getKysely());
  return rows.length > 0;
}

/** Stores what is given of a cluster. */
export async function updateCluster(
  em: EntityManager,
  name: string,
  { location, paused, terms, secretsSealed }: Partial<Pick<ClusterRow, 'location' | 'paused' | 'terms' | 'secretsSealed'>>,
): Promise<void> {
  await sql`update cluster set location = coalesce(${location ?? null}, location), paused = coalesce(${paused ?? null}::boolean, paused),
      terms = coalesce(${terms ? JSON.stringify(terms) : null}::jsonb, terms), secrets_sealed = coalesce(${secretsSealed ?? null}::bytea, secrets_sealed)
    where name = ${name}`.execute(em.getKysely());
}

/** Removes a cluster and what is known of its nodes. */
export async function deleteCluster(em: EntityManager, name: string): Promise<void> {
  await sql`delete from node where cluster = ${name}`.execute(em.getKysely());
  await sql`delete from cluster where name = ${name}`.execute(em.getKysely());
}

/** How many machines a cluster has, or may have, of ours. */
export async function machinesInCluster(em: EntityManager, name: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from placement where cluster = ${name} and gone_at is null`.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

/** Notes that a cluster does not answer; its nodes take nothing new meanwhile. */
export async function noteSilence(em: EntityManager, name: string, trouble: string, at: Date, alone: boolean): Promise<void> {
  await sql`update cluster set silent_since = coalesce(silent_since, ${at}::timestamptz), trouble = ${trouble.slice(0, 500)},
    tried_at = ${at}::timestamptz where name = ${name}`.execute(em.getKysely());
  if (!alone) await sql`update node set online = false where cluster = ${name}`.execute(em.getKysely());
}

export async function noteAnswer(em: EntityManager, name: string): Promise<void> {
  await sql`update cluster set silent_since = null, trouble = null, tried_at = null where name = ${name} and silent_since is not null`.execute(
    em.getKysely(),
  );
}
