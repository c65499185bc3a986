// Table compute.address: who holds which public address. Plain SQL: taken and given back in one statement each.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface AddressRange {
  first: string;
  last: string;
}

/** Gives a server its addresses, the longest rested first; those that it has already are kept. Returns how many it has then: fewer than asked when there are no more, and then the caller rolls back. */
export async function takeAddresses(
  em: EntityManager,
  { serverId, count, at, range }: { serverId: string; count: number; at: Date; range: AddressRange },
): Promise<number> {
  const db = em.getKysely();
  const { rows: held } = await sql`select from address where server_id = ${serverId}`.execute(db);
  if (held.length >= count) return held.length;
  const missing = count - held.length;
  const take = () =>
    sql`
      with free as (
        select ip from address where server_id is null and rests_until <= ${at}::timestamptz and ip between ${range.first}::inet and ${range.last}::inet
        order by rests_until, ip limit ${missing} for update skip locked
      ), placed as (select ip, ${held.length} + row_number() over (order by ip) - 1 as position from free)
      update address set server_id = ${serverId}, position = placed.position from placed
      where address.ip = placed.ip and (select count(*) from free) = ${missing} returning address.ip`.execute(db);
  const { rows } = await take();
  if (rows.length === missing) return count;
  // Addresses that have never been used come in as they are needed.
  await sql`
    insert into address (ip, rests_until)
    select ip, ${at}::timestamptz from (
      select ${range.first}::inet + n as ip from generate_series(0, (${range.last}::inet - ${range.first}::inet)) as n
    ) as every where not exists (select from address where address.ip = every.ip) order by ip limit 256
    on conflict do nothing`.execute(db);
  return held.length + (await take()).rows.length;
}

/** How many addresses of a range a server could have now, those never used too. */
export async function freeAddresses(em: EntityManager, at: Date, { first, last }: AddressRange): Promise<number> {
  const { rows } = await sql<{ free: string }>`
    select ${last}::inet - ${first}::inet + 1
      - (select count(*) from address where ip between ${first}::inet and ${last}::inet and (server_id is not null or rests_until > ${at}::timestamptz)) as free`.execute(
    em.getKysely(),
  );
  return Number(rows[0]?.free ?? 0);
}

/** What of a range is held, rests, and is there at all. */
export async function addressFigures(
  em: EntityManager,
  at: Date,
  { first, last }: AddressRange,
): Promise<{ total: number; held: number; resting: number }> {
  const { rows } = await sql<{ total: number; held: number; resting: number }>`
    select (${last}::inet - ${first}::inet + 1)::int as total, count(*) filter (where server_id is not null)::int as held,
      count(*) filter (where server_id is null and rests_until > ${at}::timestamptz)::int as resting
    from address where ip between ${first}::inet and ${last}::inet`.execute(em.getKysely());
  return rows[0] ?? { total: 0, held: 0, resting: 0 };
}

/** Draws the number of the rule by which the router leads to an address, its own for ever. */
export async function drawBorderRule(em: EntityManager, ip: string): Promise<void> {
  await sql`update address set border_rule = nextval('border_rule') where ip = ${ip}::inet and border_rule is null`.execute(em.getKysely());
}

/** Takes every address back from a server and lets it rest. */
export async function releaseAddresses(em: EntityManager, serverId: string, restsUntil: Date): Promise<void> {
  await sql`update address set server_id = null, position = 0, rests_until = ${restsUntil}::timestamptz where server_id = ${serverId}`.execute(
    em.getKysely(),
  );
}
