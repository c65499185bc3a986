// The tables compute.node and compute.placement: what nodes had when they were last read, and which machine was placed on which node. Our machines count with
// what they were promised, also while they are copied; other machines with what the hypervisor reports.
import { sql } from 'kysely';
import { MINUTE, after } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { MachineSize, NodeRoom } from '../domain/placement.ts';
import type { NodeFacts } from '../domain/node-facts.ts';

export interface NodeRow extends NodeRoom {
  cluster: string;
  storage: string | null;
  seenAt: Date;
}

interface SeenMachine {
  number: number;
  node: string;
  cores: number;
  memoryBytes: number;
  diskBytes: number;
}

export interface PlacementRow extends MachineSize {
  number: number;
  serverId: string;
  accountId: string;
  node: string;
  placedAt: Date;
  failedAt: Date | null;
  trouble: string | null;
}

const FRESH_MS = 5 * MINUTE;
const FAILURES_MS = 15 * MINUTE;

/** Makes placements run one at a time: the room that is read afterwards stays true until the transaction ends. */
export async function lockPlacements(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('compute.placement', 0))`.execute(em.getKysely());
}

/** Stores what was read of a cluster's nodes, and deletes those that no longer exist. `machines`: all of the cluster. */
export async function storeNodes(
  em: EntityManager,
  cluster: string,
  nodes: readonly NodeFacts[],
  machines: readonly SeenMachine[],
  at: Date,
): Promise<void> {
  const db = em.getKysely();
  const { rows: ours } = await sql<{ number: number }>`select number from placement where cluster = ${cluster} and gone_at is null`.execute(
    db,
  );
  const own = new Set(ours.map(({ number }) => number));
  const foreign = machines.filter(({ number }) => !own.has(number));
  const seen = nodes.map(({ images, ...node }) => {
    const those = foreign.filter((machine) => machine.node === node.name);
    const sum = (of: (machine: SeenMachine) => number) => those.reduce((total, machine) => total + of(machine), 0);
    return {
      ...node,
      images: [...images],
      foreignCores: sum(({ cores }) => cores),
      foreignMemoryBytes: sum(({ memoryBytes }) => memoryBytes),
      foreignDiskBytes: sum(({ diskBytes }) => diskBytes),
    };
  });
  await sql`
    insert into node (name, online, cores, memory_bytes, storage, disk_bytes, disk_used_bytes, images,
      foreign_cores, foreign_memory_bytes, foreign_disk_bytes, seen_at)
    select name, online, cores, "memoryBytes", storage, "diskBytes", "diskUsedBytes", array(select jsonb_array_elements_text(images)),
      "foreignCores", "foreignMemoryBytes", "foreignDiskBytes", ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen(name text, online boolean, cores int, "memoryBytes" bigint, storage text,
      "diskBytes" bigint, "diskUsedBytes" bigint, images jsonb, "foreignCores" int, "foreignMemoryBytes" bigint, "foreignDiskBytes" bigint)
    on conflict (name) do update set online = excluded.online,
      seen_at = excluded.seen_at, foreign_cores = excluded.foreign_cores, foreign_memory_bytes = excluded.foreign_memory_bytes,
      foreign_disk_bytes = excluded.foreign_disk_bytes,
      -- A node that is offline reports no resources: its last known values stay.
      cores = case when excluded.online then excluded.cores else node.cores end,
      memory_bytes = case when excluded.online then excluded.memory_bytes else node.memory_bytes end,
      storage = case when excluded.online then excluded.storage else node.storage end,
      disk_bytes = case when excluded.online then excluded.disk_bytes else node.disk_bytes end,
      disk_used_bytes = case when excluded.online then excluded.disk_used_bytes else node.disk_used_bytes end,
      images = case when excluded.online then excluded.images else node.images end`.execute(db);
  await sql`delete from node where cluster = ${cluster} and name <> all(${nodes.map(({ name }) => name)}::text[])`.execute(db);
}

/** A machine that moves needs its room on both nodes until it has moved. */
const MOVES_TO_NODE = sql`exists (select from operation
  where server_id = placement.server_id and operation.status = 'RUNNING' and command = 'MOVE' and target = node.name)`;

/** Every node, with what is promised of it. */
export async function nodeRooms(em: EntityManager, now: Date): Promise<NodeRow[]> {
  const { rows } = await sql<
    Omit<NodeRow, 'accounts' | 'promised'> &
      MachineSize & { accounts: Record<string, number> | null; memoryBytes: string; diskBytes: string; diskUsedBytes: string }
  >`
    select name, cluster, online, in_maintenance as "inMaintenance", node.cores as "cores", memory_bytes as "memoryBytes", storage, disk_bytes as "diskBytes",
      disk_used_bytes as "diskUsedBytes", images, seen_at as "seenAt",
      coalesce(ours.cores, 0) + foreign_cores as "promisedCores",
      coalesce(ours.ram_gb, 0) + ceil(foreign_memory_bytes / 1073741824.0)::int as "ramGb",
      coalesce(ours.storage_gb, 0) + ceil(foreign_disk_bytes / 1073741824.0)::int as "storageGb",
      coalesce(ours.fresh, 0) as fresh,
      (select count(*)::int from placement where placement.node = name and failed_at > ${after(now, -FAILURES_MS)}::timestamptz) as failures,
      (select jsonb_object_agg(account_id, machines) from (
        select account_id, count(*) as machines from placement where placement.node = name and gone_at is null group by account_id) as each) as accounts
    from node left join lateral (
      select sum(placement.cores)::int as cores, sum(ram_gb)::int as ram_gb, sum(storage_gb)::int as storage_gb,
        count(*) filter (where placed_at > ${after(now, -FRESH_MS)}::timestamptz)::int as fresh
      from placement where gone_at is null and (placement.node = name or ${MOVES_TO_NODE})
    ) as ours on true
    order by name`.execute(em.getKysely());
  return rows.map((row) => {
    const { promisedCores, ramGb, storageGb, accounts, ...node } = row as typeof row & { promisedCores: number };
    return {
      ...node,
      memoryBytes: Number(node.memoryBytes),
      diskBytes: Number(node.diskBytes),
      diskUsedBytes: Number(node.diskUsedBytes),
      seenAt: new Date(node.seenAt),
      promised: { cores: promisedCores, ramGb, storageGb },
      accounts: new Map(Object.entries(accounts ?? {})),
    };
  });
}

const PLACEMENTS = sql`select number, server_id as "serverId", account_id as "accountId", node, cores, ram_gb as "ramGb", storage_gb as "storageGb",
  placed_at as "placedAt", failed_at as "failedAt", trouble from placement`;
const toRow = (row: PlacementRow): PlacementRow => ({
  ...row,
  placedAt: new Date(row.placedAt),
  failedAt: row.failedAt && new Date(row.failedAt),
});

/** Placements whose machine exists, or may exist. */
export async function standingPlacements(em: EntityManager): Promise<PlacementRow[]> {
  const { rows } = await sql<PlacementRow>`${PLACEMENTS} where gone_at is null order by number`.execute(em.getKysely());
  return rows.map(toRow);
}

/** Placements of a server, the newest first. */
export async function placementsOfServer(em: EntityManager, serverId: string): Promise<(PlacementRow & { isGone: boolean })[]> {
  const { rows } = await sql<PlacementRow & { isGone: boolean }>`
    select placements.*, exists (select from placement where number = placements.number and gone_at is not null) as "isGone"
    from (${PLACEMENTS} where server_id = ${serverId}) as placements order by "placedAt" desc, number desc`.execute(em.getKysely());
  return rows.map((row) => ({ ...toRow(row), isGone: row.isGone }));
}

/** Failed placements, the newest first. */
export async function failedPlacements(em: EntityManager, limit: number): Promise<(PlacementRow & { isGone: boolean })[]> {
  const { rows } = await sql<PlacementRow & { isGone: boolean }>`
    select failed.*, exists (select from placement where number = failed.number and gone_at is not null) as "isGone"
    from (${PLACEMENTS} where failed_at is not null order by failed_at desc limit ${limit}) as failed order by "failedAt" desc`.execute(
    em.getKysely(),
  );
  return rows.map((row) => ({ ...toRow(row), isGone: row.isGone }));
}

export async function insertPlacement(
  em: EntityManager,
  { number, serverId, accountId, node, cores, ramGb, storageGb }: Omit<PlacementRow, 'placedAt' | 'failedAt' | 'trouble'>,
  at: Date,
): Promise<void> {
  await sql`insert into placement (number, server_id, account_id, node, cores, ram_gb, storage_gb, placed_at)
    values (${number}, ${serverId}, ${accountId}, ${node}, ${cores}, ${ramGb}, ${storageGb}, ${at}::timestamptz)`.execute(em.getKysely());
}

/** Marks a placement as failed; what is left of its machine is looked for until it is gone. */
export async function failPlacement(em: EntityManager, number: number, trouble: string, at: Date): Promise<void> {
  await sql`update placement set failed_at = ${at}::timestamptz, trouble = ${trouble.slice(0, 500)} where number = ${number}`.execute(
    em.getKysely(),
  );
}

export async function endPlacement(em: EntityManager, number: number, at: Date): Promise<void> {
  await sql`update placement set gone_at = ${at}::timestamptz where number = ${number} and gone_at is null`.execute(em.getKysely());
}

/** Notes that the guest starts: from now on its addresses are in use. */
export async function startPlacement(em: EntityManager, number: number, at: Date): Promise<void> {
  await sql`update placement set started_at = coalesce(started_at, ${at}::timestamptz) where number = ${number}`.execute(em.getKysely());
}

/** Whether any machine of a server has ever run. */
export async function hasEverStarted(em: EntityManager, serverId: string): Promise<boolean> {
  const { rows } = await sql`select from placement where server_id = ${serverId} and started_at is not null limit 1`.execute(
    em.getKysely(),
  );
  return rows.length > 0;
}

export async function movePlacement(em: EntityManager, number: number, node: string): Promise<void> {
  await sql`update placement set node = ${node} where number = ${number}`.execute(em.getKysely());
}

/** Changes the promised size of a machine that stays on its node. */
export async function resizePlacement(em: EntityManager, number: number, { cores, ramGb, storageGb }: MachineSize): Promise<void> {
  await sql`update placement set cores = ${cores}, ram_gb = ${ramGb}, storage_gb = ${storageGb} where number = ${number}`.execute(
    em.getKysely(),
  );
}

/** Returns false when there is no such node. */
export async function setMaintenance(em: EntityManager, name: string, inMaintenance: boolean): Promise<boolean> {
  const { rows } = await sql`update node set in_maintenance = ${inMaintenance} where name = ${name} returning name`.execute(em.getKysely());
  return rows.length > 0;
}

/** Draws a number in the range that no machine of ours has had; undefined: all are used up. */
export async function drawMachineNumber(em: EntityManager, { first, last }: { first: number; last: number }): Promise<number | undefined> {
  const db = em.getKysely();
  const { rows } = await sql<{ number: number }>`select nextval('machine_number')::int as number`.execute(db);
  const drawn = rows[0]?.number ?? 0;
  if (drawn >= first) return drawn <= last ? drawn : undefined;
  // The range begins above the sequence's present value.
  await sql`select setval('machine_number', ${first})`.execute(db);
  return first;
}
