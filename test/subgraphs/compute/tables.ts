// Queries with which tests of compute read and set its tables.
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
  /** Dedicated machines that have a server. */
  machinesInUse: () => query<{ name: string }>('select name from compute.bare_metal where server_id is not null'),
  addressesInUse: () => query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is not null'),
  /** Free addresses that may not be given out yet at `at`. */
  addressesAtRest: (at: Date) =>
    query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is null and rests_until > $1', [at]),
  livingServers: () => query<{ id: string }>(`select id from compute.server where status <> 'REMOVED'`),
  /** Addresses that removed servers still hold. */
  addressesOfRemoved: () =>
    query<{ ip: string }>(
      `select host(ip) as ip from compute.address join compute.server on server.id = server_id where status = 'REMOVED'`,
    ),
  /** The power operations that customers asked for. */
  powerOperations: () =>
    query<{ id: string }>(`select id from compute.operation where command in ('STOP', 'REBOOT', 'FORCE_STOP', 'START')`),
  /** Adds a server as a purchase leaves it, without a purchase and without a machine: by default a Plank that is Active and runs. */
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
  /** Adds an address, of a server or free. `position`: 0 for a server's main address, from 1 on for extra ones. */
  addAddress: (ip: string, serverId: string | null, position = 0) =>
    addRow(query, 'compute.address', { ip, server_id: serverId, position, rests_until: '2026-01-01' }),
});
