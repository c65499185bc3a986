// The table compute.bare_metal: the machines of dedicated servers. A machine has at most one holder, from its order until its disks are wiped.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';

export interface BareMetalRow {
  id: string;
  name: string;
  planCode: string;
  ip: string;
  prefixLength: number;
  gateway: string;
  mac: string | null;
  /** Null: the machine is delivered by hand. */
  controllerUrl: string | null;
  controllerSystem: string | null;
  controllerUsername: string | null;
  controllerPasswordSealed: Buffer | null;
  serverId: string | null;
  restsUntil: Date;
  outOfService: boolean;
}

const MACHINES = sql`
  select id, name, plan_code as "planCode", host(ip) as ip, prefix_length as "prefixLength", host(gateway) as gateway, mac::text as mac,
    controller_url as "controllerUrl", controller_system as "controllerSystem", controller_username as "controllerUsername",
    controller_password_sealed as "controllerPasswordSealed", server_id as "serverId", rests_until as "restsUntil", out_of_service as "outOfService"
  from bare_metal`;
const toRow = (row: BareMetalRow): BareMetalRow => ({ ...row, restsUntil: new Date(row.restsUntil) });

export async function machineOfServer(em: EntityManager, serverId: string): Promise<BareMetalRow | undefined> {
  const { rows } = await sql<BareMetalRow>`${MACHINES} where server_id = ${serverId}`.execute(em.getKysely());
  return rows[0] && toRow(rows[0]);
}

export async function machinesOfServers(em: EntityManager, serverIds: readonly string[]): Promise<BareMetalRow[]> {
  const { rows } = await sql<BareMetalRow>`${MACHINES} where server_id = any(${serverIds}::text[])`.execute(em.getKysely());
  return rows.map(toRow);
}

/** All machines, ordered by name. */
export async function allMachines(em: EntityManager): Promise<BareMetalRow[]> {
  const { rows } = await sql<BareMetalRow>`${MACHINES} order by name`.execute(em.getKysely());
  return rows.map(toRow);
}

/** Gives a server a free machine of its plan with its address, the longest rested first; a server that has one keeps it. Undefined: none is free. */
export async function takeMachine(
  em: EntityManager,
  { serverId, planCode, at }: { serverId: string; planCode: string; at: Date },
): Promise<BareMetalRow | undefined> {
  const held = await machineOfServer(em, serverId);
  if (held) return held;
  const { rows } = await sql<{ ip: string }>`
    with free as (
      select id from bare_metal where plan_code = ${planCode} and server_id is null and not out_of_service and rests_until <= ${at}::timestamptz
      order by rests_until, id limit 1 for update skip locked
    ) update bare_metal set server_id = ${serverId} from free where bare_metal.id = free.id returning host(ip) as ip`.execute(
    em.getKysely(),
  );
  const [taken] = rows;
  if (!taken) return undefined;
  await sql`insert into address (ip, server_id, rests_until) values (${taken.ip}::inet, ${serverId}, ${at}::timestamptz)
    on conflict (ip) do update set server_id = excluded.server_id, position = 0`.execute(em.getKysely());
  return machineOfServer(em, serverId);
}

/** Takes a server's machine back; it can be sold again once its address has rested. */
export async function releaseMachine(em: EntityManager, serverId: string, restsUntil: Date): Promise<void> {
  await sql`update bare_metal set server_id = null, rests_until = ${restsUntil}::timestamptz where server_id = ${serverId}`.execute(
    em.getKysely(),
  );
}

export type NewMachine = Omit<BareMetalRow, 'serverId' | 'restsUntil' | 'outOfService'> & { createdAt: Date };

/** Adds a machine, or changes the one of that name. A machine in use is not changed. */
export async function storeMachine(em: EntityManager, machine: NewMachine): Promise<'added' | 'changed' | 'in_use'> {
  const { rows } = await sql<{ added: boolean }>`
    insert into bare_metal (id, name, plan_code, ip, prefix_length, gateway, mac, controller_url, controller_system, controller_username,
      controller_password_sealed, rests_until, created_at)
    values (${machine.id}, ${machine.name}, ${machine.planCode}, ${machine.ip}::inet, ${machine.prefixLength}, ${machine.gateway}::inet,
      ${machine.mac}::macaddr, ${machine.controllerUrl}, ${machine.controllerSystem}, ${machine.controllerUsername},
      ${machine.controllerPasswordSealed}, ${machine.createdAt}::timestamptz, ${machine.createdAt}::timestamptz)
    on conflict (name) do update set plan_code = excluded.plan_code, ip = excluded.ip, prefix_length = excluded.prefix_length,
      gateway = excluded.gateway, mac = excluded.mac, controller_url = excluded.controller_url, controller_system = excluded.controller_system,
      controller_username = excluded.controller_username, controller_password_sealed = excluded.controller_password_sealed
      where bare_metal.server_id is null
    returning xmax = 0 as added`.execute(em.getKysely());
  return rows[0] === undefined ? 'in_use' : rows[0].added ? 'added' : 'changed';
}

/** Returns false when there is no such machine. */
export async function setOutOfService(em: EntityManager, id: string, outOfService: boolean): Promise<boolean> {
  const { rows } = await sql`update bare_metal set out_of_service = ${outOfService} where id = ${id} returning id`.execute(em.getKysely());
  return rows.length === 1;
}

/** Returns plan -> how many machines can be sold now: free, rested, and not held for an order. */
export async function stockOf(em: EntityManager, at: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ planCode: string; free: number }>`
    select plan_code as "planCode", count(*)::int - (
      select count(*)::int from stock_hold where stock_hold.plan_code = bare_metal.plan_code and held_until > ${at}::timestamptz
    ) as free
    from bare_metal where server_id is null and not out_of_service and rests_until <= ${at}::timestamptz group by plan_code`.execute(
    em.getKysely(),
  );
  return new Map(rows.map(({ planCode, free }) => [planCode, Math.max(free, 0)]));
}

/** Whether an address belongs to a machine of another name. */
export async function isAddressTaken(em: EntityManager, ip: string, name: string): Promise<boolean> {
  const { rows } = await sql`select from bare_metal where ip = ${ip}::inet and name <> ${name}`.execute(em.getKysely());
  return rows.length > 0;
}
