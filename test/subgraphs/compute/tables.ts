// What tests of compute read and set in its tables.
import { type Query, addRow } from '../../kit/tables.ts';

interface GivenServer {
  id: string;
  kind?: 'VPS' | 'DEDICATED';
  accountId: string;
  orderId?: string;
  subscriptionId?: string;
  planCode?: string;
  status?: string;
  powerState?: string;
  hostname?: string;
  createdAt?: string;
}

export const computeTables = (query: Query) => ({
  /** Machines that are somebody's. */
  machinesInUse: () => query<{ name: string }>('select name from compute.bare_metal where server_id is not null'),
  addressesInUse: () => query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is not null'),
  /** Addresses of nobody that may not be given out yet. */
  addressesAtRest: (at: Date) =>
    query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is null and rests_until > $1', [at]),
  livingServers: () => query<{ id: string }>(`select id from compute.server where status <> 'REMOVED'`),
  /** Addresses of servers that are gone. */
  addressesOfRemoved: () =>
    query<{ ip: string }>(
      `select host(ip) as ip from compute.address join compute.server on server.id = server_id where status = 'REMOVED'`,
    ),
  /** What customers asked of the power of their servers. */
  powerOperations: () =>
    query<{ id: string }>(`select id from compute.operation where command in ('STOP', 'REBOOT', 'FORCE_STOP', 'START')`),
  /** A server as a purchase leaves it, without buying and without a machine: by default a Plank that is Active and runs. */
  addServer: ({
    id,
    kind = 'VPS',
    accountId,
    orderId = `order of ${id}`,
    subscriptionId = `subscription of ${id}`,
    planCode = 'PLANK',
    status = 'ACTIVE',
    powerState = 'RUNNING',
    hostname = 'web-1',
    createdAt = 'now',
  }: GivenServer) =>
    addRow(query, 'compute.server', {
      id,
      kind,
      account_id: accountId,
      order_id: orderId,
      subscription_id: subscriptionId,
      plan_code: planCode,
      status,
      power_state: powerState,
      hostname,
      created_at: createdAt,
    }),
  /** One of a server, or of nobody; 0 is a server's own, extra ones follow. */
  addAddress: (ip: string, serverId: string | null, position = 0) =>
    addRow(query, 'compute.address', { ip, server_id: serverId, position, rests_until: '2026-01-01' }),
});
