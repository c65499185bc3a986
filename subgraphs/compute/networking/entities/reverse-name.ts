// The table compute.reverse_name: the wanted reverse DNS name of each address. Each change has a version; beside it is the version that the name server has.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface ReverseNameRow {
  ip: string;
  name: string | null;
  version: number;
  appliedVersion: number;
  trouble: string | null;
}

const NAMES = sql`select host(ip) as ip, name, version, applied_version as "appliedVersion", trouble from reverse_name`;

export async function reverseNamesOf(em: EntityManager, ips: readonly string[]): Promise<ReverseNameRow[]> {
  const { rows } = await sql<ReverseNameRow>`${NAMES} where ip = any(${ips}::inet[])`.execute(em.getKysely());
  return rows;
}

/** Addresses whose name the name server does not have, and that are due now. */
export async function dueReverseNames(em: EntityManager, at: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ ip: string }>`
    select host(ip) as ip from reverse_name where applied_version < version and next_at <= ${at}::timestamptz order by next_at limit ${limit}`.execute(
    em.getKysely(),
  );
  return rows.map(({ ip }) => ip);
}

export async function wishReverseName(em: EntityManager, ip: string, name: string | null, at: Date): Promise<void> {
  await sql`insert into reverse_name (ip, name, next_at) values (${ip}::inet, ${name}, ${at}::timestamptz)
    on conflict (ip) do update set name = excluded.name, version = reverse_name.version + 1, trouble = null, next_at = excluded.next_at
    where reverse_name.name is distinct from excluded.name`.execute(em.getKysely());
}

/** Stores the result of setting a version: it is applied, or there was trouble and it is tried again at `nextAt`. */
export async function noteReverseName(
  em: EntityManager,
  { ip, version }: Pick<ReverseNameRow, 'ip' | 'version'>,
  outcome: { applied: true } | { trouble: string; nextAt: Date },
): Promise<void> {
  if ('applied' in outcome)
    await sql`update reverse_name set applied_version = greatest(applied_version, ${version}), trouble = null where ip = ${ip}::inet`.execute(
      em.getKysely(),
    );
  else
    await sql`update reverse_name set trouble = ${outcome.trouble}, next_at = ${outcome.nextAt}::timestamptz
      where ip = ${ip}::inet and version = ${version}`.execute(em.getKysely());
}

/** Removes the names of addresses that no server holds; the removal is carried out like any other change. */
export async function wishNoNamesForFree(em: EntityManager, at: Date): Promise<void> {
  await sql`update reverse_name set name = null, version = version + 1, trouble = null, next_at = ${at}::timestamptz
    where name is not null and not exists (select from address where address.ip = reverse_name.ip and server_id is not null)`.execute(
    em.getKysely(),
  );
}
