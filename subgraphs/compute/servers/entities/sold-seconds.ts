// For how long servers were there on a day, with their extras.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { ServerRow } from './server.ts';

export interface SoldServers {
  kind: ServerRow['kind'];
  planCode: string;
  seconds: bigint;
  /** Of extra addresses, each. */
  addressSeconds: bigint;
  backupSeconds: bigint;
}

/** Seconds of a span for which servers were there, by the plan that they have now. */
export async function soldSeconds(em: EntityManager, { begins, ends }: { begins: Date; ends: Date }): Promise<SoldServers[]> {
  const { rows } = await sql<Record<'kind' | 'planCode' | 'seconds' | 'addressSeconds' | 'backupSeconds', string>>`
    select kind, plan_code as "planCode", sum(lasted)::text as seconds, sum(lasted * extra_ipv4)::text as "addressSeconds",
      coalesce(sum(lasted) filter (where backups), 0)::text as "backupSeconds"
    from (
      select kind, plan_code, extra_ipv4, backups,
        floor(extract(epoch from least(coalesce(ended_at, ${ends}::timestamptz), ${ends}::timestamptz)
          - greatest(created_at, ${begins}::timestamptz)))::bigint as lasted
      from server where created_at < ${ends} and (status not in ('REMOVED', 'DECOMMISSIONED') or ended_at > ${begins})) as sold
    group by kind, plan_code order by kind, plan_code`.execute(em.getKysely());
  return rows.map((row) => ({
    kind: row.kind as ServerRow['kind'],
    planCode: row.planCode,
    seconds: BigInt(row.seconds),
    addressSeconds: BigInt(row.addressSeconds),
    backupSeconds: BigInt(row.backupSeconds),
  }));
}
