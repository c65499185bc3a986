// The table compute.metal_use: what controllers have measured, a row per minute, kept for `RETAIN_SERVER_LOAD_DAYS`.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { BareMetalReadings } from '../../machines/domain/bare-metal-readings.ts';

export interface MetalUse {
  at: Date;
  /** Shares are 0 to 1; null: the controller does not measure this. */
  cpuRatio: number | null;
  memoryRatio: number | null;
  diskRatio: number | null;
  netInBytesPerSecond: number | null;
  netOutBytesPerSecond: number | null;
  watts: number | null;
  inletCelsius: number | null;
}

export async function noteMetalUse(em: EntityManager, serverId: string, at: Date, use: BareMetalReadings): Promise<void> {
  await sql`insert into metal_use (server_id, at, cpu, memory, disk, received_bytes, sent_bytes, watts, inlet_celsius)
    values (${serverId}, ${at}::timestamptz, ${use.cpuShare}, ${use.memoryShare}, ${use.diskShare}, ${use.receivedBytes}, ${use.sentBytes},
      ${use.watts}, ${use.inletCelsius}) on conflict do nothing`.execute(em.getKysely());
}

/** Mean values, one point for every `bucketSeconds`, the oldest first. Where a counter has started again, its rate is left out. */
export async function metalUseSince(
  em: EntityManager,
  serverId: string,
  { since, bucketSeconds }: { since: Date; bucketSeconds: number },
): Promise<MetalUse[]> {
  const { rows } = await sql<MetalUse>`
    with flowing as (
      select *, extract(epoch from at - lag(at) over (order by at)) as seconds,
        received_bytes - lag(received_bytes) over (order by at) as received, sent_bytes - lag(sent_bytes) over (order by at) as sent
      from metal_use where server_id = ${serverId} and at >= ${since}::timestamptz
    )
    select to_timestamp(floor(extract(epoch from at) / ${bucketSeconds}::float8) * ${bucketSeconds}::float8) as at, avg(cpu) as "cpuRatio", avg(memory) as "memoryRatio", avg(disk) as "diskRatio",
      avg(case when received >= 0 and seconds > 0 then received / seconds end) as "netInBytesPerSecond",
      avg(case when sent >= 0 and seconds > 0 then sent / seconds end) as "netOutBytesPerSecond",
      avg(watts) as watts, avg(inlet_celsius) as "inletCelsius"
    from flowing group by 1 order by 1`.execute(em.getKysely());
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}

export async function dropMetalUse(em: EntityManager, before: Date): Promise<void> {
  await sql`delete from metal_use where at < ${before}::timestamptz`.execute(em.getKysely());
}
