// The table residential.client_network. Rows are written under the lock of the plan's row, and nodes are notified of every change.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { ClientNetwork as NodeNetwork } from '../../../../edge/protocol/client-network.ts';

/** The channel on which nodes hear that they should read the list again. */
export const NETWORK_CHANNEL = 'egress_client_networks';

export interface ClientNetwork {
  id: string;
  planId: string;
  network: string;
  /** The part of a proxy line that follows the base username: target and session. */
  line: string;
  note: string;
  createdAt: Date;
  usedAt: Date | null;
}

interface Row {
  id: string;
  plan_id: string;
  network: string;
  line: string;
  note: string;
  created_at: string | Date;
  used_at: string | Date | null;
}

const COLUMNS = 'id, plan_id, network::text, line, note, created_at, used_at';

const toNetwork = (row: Row): ClientNetwork => ({
  id: row.id,
  planId: row.plan_id,
  network: row.network,
  line: row.line,
  note: row.note,
  createdAt: new Date(row.created_at),
  usedAt: row.used_at === null ? null : new Date(row.used_at),
});

/** The networks of a plan, the oldest first. */
export async function networksOfPlan(em: EntityManager, planId: string): Promise<ClientNetwork[]> {
  const rows = await runStatement<Row>(em, `select ${COLUMNS} from residential.client_network where plan_id = $1 order by created_at, id`, [
    planId,
  ]);
  return rows.map(toNetwork);
}

export async function networkOfAccount(em: EntityManager, accountId: string, id: string): Promise<ClientNetwork | undefined> {
  const [row] = await runStatement<Row>(em, `select ${COLUMNS} from residential.client_network where id = $1 and account_id = $2`, [
    id,
    accountId,
  ]);
  return row && toNetwork(row);
}

/** Returns false when this plan or another one has exactly this network already. */
export async function insertNetwork(em: EntityManager, row: Omit<ClientNetwork, 'usedAt'> & { accountId: string }): Promise<boolean> {
  const rows = await runStatement(
    em,
    `insert into residential.client_network (id, plan_id, account_id, network, line, note, created_at) values ($1, $2, $3, $4::cidr, $5, $6, $7)
     on conflict (network) do nothing returning id`,
    [row.id, row.planId, row.accountId, row.network, row.line, row.note, row.createdAt.toISOString()],
  );
  return rows.length > 0;
}

export async function deleteNetwork(em: EntityManager, id: string): Promise<void> {
  await runStatement(em, 'delete from residential.client_network where id = $1', [id]);
}

/** All networks from which nodes accept connections without a password. */
export const networksForNodes = (em: EntityManager): Promise<NodeNetwork[]> =>
  runStatement<NodeNetwork>(
    em,
    `select n.id, n.network::text as network, p.username || n.line as username
     from residential.client_network n join residential.plan p on p.id = n.plan_id where not p.networks_and_password and not p.withdrawn`,
    [],
  );

/** Stores that somebody has just logged in from these networks, at most once a minute for each. */
export async function noteUsed(em: EntityManager, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length === 0) return;
  await runStatement(
    em,
    `update residential.client_network set used_at = $2::timestamptz where id = any($1) and (used_at is null or used_at < $2::timestamptz - interval '1 minute')`,
    [ids, at.toISOString()],
  );
}

/** Notifies nodes, when the transaction commits, to read the list again. */
export async function notifyOfNetworks(em: EntityManager): Promise<void> {
  await runStatement(em, `select pg_notify('${NETWORK_CHANNEL}', '')`, []);
}

export async function setBoth(em: EntityManager, planId: string, both: boolean): Promise<void> {
  await runStatement(em, 'update residential.plan set networks_and_password = $2 where id = $1', [planId, both]);
}

export async function isBoth(em: EntityManager, planId: string): Promise<boolean> {
  const [row] = await runStatement<{ both: boolean }>(em, 'select networks_and_password as both from residential.plan where id = $1', [
    planId,
  ]);
  return row?.both ?? false;
}
