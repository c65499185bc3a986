// The table compute.address: which server holds which public address. Plain SQL: addresses are taken and given back in one statement.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface AddressRange {
  first: string;
  last: string;
}

/**
 * Gives a server its addresses, those that have rested longest first; it keeps those that it has. Returns how many it has then. When there are not enough, none
 * is added, and the number is smaller than asked for.
 */
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
  // Addresses that were never used get a row only when they are needed.
  await sql`
    insert into address (ip, rests_until)
    select ip, ${at}::timestamptz from (
      select ${range.first}::inet + n as ip from generate_series(0, (${range.last}::inet - ${range.first}::inet)) as n
    ) as every where not exists (select from address where address.ip = every.ip) order by ip limit 256
    on conflict do nothing`.execute(db);
  return held.length + (await take()).rows.length;
}

/** How many addresses of a range a server holds. */
export async function heldWithin(em: EntityManager, serverId: string, { first, last }: AddressRange): Promise<number> {
  const { rows } = await sql<{ held: number }>`select count(*)::int as held from address
    where server_id = ${serverId} and ip between ${first}::inet and ${last}::inet`.execute(em.getKysely());
  return rows[0]?.held ?? 0;
}

/** Makes a server whose addresses nobody has seen in use have all of them from this range. Returns false when there are not enough: it has none then. */
export async function giveAddressesWithin(
  em: EntityManager,
  { serverId, count, at, range }: { serverId: string; count: number; at: Date; range: AddressRange },
): Promise<boolean> {
  if ((await heldWithin(em, serverId, range)) >= count) return true;
  await releaseAddresses(em, serverId, at);
  return (await takeAddresses(em, { serverId, count, at, range })) >= count;
}

/** How many addresses of a range are free now, with those that were never used. */
export async function freeAddresses(em: EntityManager, at: Date, { first, last }: AddressRange): Promise<number> {
  const { rows } = await sql<{ free: string }>`
    select ${last}::inet - ${first}::inet + 1
      - (select count(*) from address where ip between ${first}::inet and ${last}::inet and (server_id is not null or rests_until > ${at}::timestamptz)) as free`.execute(
    em.getKysely(),
  );
  return Number(rows[0]?.free ?? 0);
}

/** How many addresses of a range there are, are held, and rest. */
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

/** Draws the number of the router's rule for this address, which the address keeps for ever. */
export async function drawBorderRule(em: EntityManager, ip: string): Promise<void> {
  await sql`update address set border_rule = nextval('border_rule') where ip = ${ip}::inet and border_rule is null`.execute(em.getKysely());
}

/** Gives a server another address in the place of one that it has, which rests. Returns the new one; undefined: no address is free, and nothing has changed. */
export async function exchangeAddress(
  em: EntityManager,
  { serverId, ip, at, restsUntil, range }: { serverId: string; ip: string; at: Date; restsUntil: Date; range: AddressRange },
): Promise<string | undefined> {
  const db = em.getKysely();
  const { rows: held } = await sql<{ ip: string; position: number }>`
    select host(ip) as ip, position from address where server_id = ${serverId}`.execute(db);
  const old = held.find((one) => one.ip === ip);
  const count = held.length + 1;
  if (!old || (await takeAddresses(em, { serverId, count, at, range })) < count) return undefined;
  await sql`update address set server_id = null, position = 0, rests_until = ${restsUntil}::timestamptz where ip = ${ip}::inet`.execute(db);
  const { rows } = await sql<{ ip: string }>`
    update address set position = ${old.position} where server_id = ${serverId} and position = ${held.length} returning host(ip) as ip`.execute(
    db,
  );
  return rows[0]?.ip;
}

/** Takes all addresses of a server back and lets them rest. */
export async function releaseAddresses(em: EntityManager, serverId: string, restsUntil: Date): Promise<void> {
  await sql`update address set server_id = null, position = 0, rests_until = ${restsUntil}::timestamptz where server_id = ${serverId}`.execute(
    em.getKysely(),
  );
}
