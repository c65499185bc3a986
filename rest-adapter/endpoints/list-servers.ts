// The endpoints that read servers and what is done to them.
import { z } from 'zod';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import {
  BACKUPS,
  BACKUPS_FIELDS,
  type BackupsResult,
  EXAMPLE_BACKUP,
  EXAMPLE_OPERATION,
  EXAMPLE_SERVER,
  ON_SERVER,
  OPERATION,
  OPERATION_FIELDS,
  type OperationResult,
  SERVER,
  SERVER_FIELDS,
  SERVER_KINDS,
  SERVER_STATES,
  type ServerResult,
  operationWithId,
  toBackups,
  toOperation,
  toServer,
} from './server.ts';

/** Not in the Spec, as all endpoints for servers. */
const listServers = defineEndpoint({
  path: '/v1/servers',
  tool: 'list_servers',
  title: 'List servers',
  description:
    'VPS and dedicated servers of the account, newest first, also those that are gone: state and kind leave some out. Passwords are shown in the dashboard alone.',
  message: 'Servers listed.',
  scope: 'servers',
  input: z.object({
    kind: z.enum(SERVER_KINDS).describe('Only this kind.').optional(),
    state: z.enum(SERVER_STATES).describe('Only servers in this state.').optional(),
    page: z.int().min(1).max(1_000_000).default(1).describe('Page number; a page past the end is empty.'),
    limit: z.int().min(1).max(100).default(25).describe('Results per page, at most 100.'),
  }),
  restNames: {},
  refusals: { page: { code: 'page_invalid' }, limit: { code: 'limit_invalid' } },
  codes: [],
  output: z.object({ servers: z.array(SERVER), total: z.int(), currentPage: z.int(), totalPages: z.int() }),
  named: { servers: 'Server', 'servers.reverse_names': 'ReverseName' },
  readOnly: true,
  operation: /* GraphQL */ `
    query ListServers {
      servers {
        ${SERVER_FIELDS}
      }
    }
  `,
  variables: () => ({}),
  // The graph has the servers of an account as one list, as the dashboard reads it.
  data({ servers }: { servers: ServerResult[] }, { kind, state, page, limit }) {
    const found = servers
      .map(toServer)
      .filter((server) => (kind === undefined || server.kind === kind) && (state === undefined || server.state === state));
    return {
      servers: found.slice((page - 1) * limit, page * limit),
      total: found.length,
      currentPage: page,
      totalPages: Math.ceil(found.length / limit),
    };
  },
  example: { input: { state: 'active' }, data: { servers: [EXAMPLE_SERVER], total: 1, currentPage: 1, totalPages: 1 } },
});

const getServer = defineEndpoint({
  ...ON_SERVER,
  path: '/v1/servers/{server_id}',
  tool: 'get_server',
  title: 'Get a server',
  description: 'One VPS or dedicated server: its state, power, addresses and system.',
  message: 'Server read.',
  output: z.object({ server: SERVER }),
  outputName: 'ServerState',
  operation: /* GraphQL */ `
    query GetServer($id: ID!) {
      server(id: $id) {
        ${SERVER_FIELDS}
      }
    }
  `,
  data: ({ server }: { server: ServerResult }) => ({ server: toServer(server) }),
  example: { input: { server: EXAMPLE_SERVER.server_id }, data: { server: EXAMPLE_SERVER } },
});

interface OperationsPage {
  server: { operationPage: { items: OperationResult[]; next: string | null } };
}

const listServerOperations = defineEndpoint({
  ...ON_SERVER,
  path: '/v1/servers/{server_id}/operations',
  tool: 'list_server_operations',
  title: 'List operations of a server',
  description:
    'What is done to a server, and was, newest first: builds, starts, stops, reinstalls, backups. One at a time runs. Go on with `next` as `after`.',
  message: 'Operations listed.',
  input: z.object({
    ...ON_SERVER.input.shape,
    after: z.string().describe('`next` of the answer before.').optional(),
    limit: z.int().min(1).max(100).default(20).describe('How many at most.'),
  }),
  refusals: { ...ON_SERVER.refusals, limit: { code: 'limit_invalid' } },
  output: z.object({ operations: z.array(OPERATION), next: z.string().nullable().describe('For `after`; null: there are no more.') }),
  named: { operations: 'ServerOperation', 'operations.error': 'ServerOperationError' },
  operation: /* GraphQL */ `
    query ListServerOperations($id: ID!, $limit: Int!, $after: ID) {
      server(id: $id) {
        operationPage(first: $limit, after: $after) {
          items {
            ${OPERATION_FIELDS}
          }
          next
        }
      }
    }
  `,
  variables: ({ limit, after, ...one }) => ({ ...ON_SERVER.variables(one), limit, ...(after !== undefined && { after: toId(after) }) }),
  data: ({ server: { operationPage: page } }: OperationsPage) => ({ operations: page.items.map(toOperation), next: page.next }),
  example: { input: { server: EXAMPLE_SERVER.server_id }, data: { operations: [EXAMPLE_OPERATION], next: null } },
});

const getServerOperation = defineEndpoint({
  ...ON_SERVER,
  path: '/v1/servers/{server_id}/operations/{operation_id}',
  tool: 'get_server_operation',
  title: 'Get an operation of a server',
  description:
    'How far an operation is, to be asked every few seconds until its status is success or error. The newest 100 of a server are known.',
  message: 'Operation read.',
  input: z.object({ ...ON_SERVER.input.shape, operation: z.string().describe('operation_id of an operation of the server.') }),
  restNames: { ...ON_SERVER.restNames, operation: 'operation_id' },
  refusals: { ...ON_SERVER.refusals, operation: { code: 'server_operation_not_found' } },
  output: z.object({ operation: OPERATION }),
  outputName: 'ServerOperationState',
  operation: /* GraphQL */ `
    query GetServerOperation($id: ID!) {
      server(id: $id) {
        operations(limit: 100) {
          ${OPERATION_FIELDS}
        }
      }
    }
  `,
  variables: ({ server }) => ON_SERVER.variables({ server }),
  data: ({ server }: { server: { operations: OperationResult[] } }, { operation }) => ({
    operation: operationWithId(server.operations, operation),
  }),
  example: {
    input: { server: EXAMPLE_SERVER.server_id, operation: EXAMPLE_OPERATION.operation_id },
    data: { operation: EXAMPLE_OPERATION },
  },
});

const NO_BACKUPS: BackupsResult = { enabled: false, lastAt: null, nextAt: null, items: [] };

const listServerBackups = defineEndpoint({
  ...ON_SERVER,
  path: '/v1/servers/{server_id}/backups',
  tool: 'list_server_backups',
  title: 'List backups of a server',
  description: 'The copies of a VPS on separate storage, newest first, any of which can be restored. A dedicated server has none.',
  message: 'Backups listed.',
  output: z.object(BACKUPS),
  named: { backups: 'ServerBackup' },
  operation: /* GraphQL */ `
    query ListServerBackups($id: ID!) {
      server(id: $id) {
        ... on Vps {
          backups {
            ${BACKUPS_FIELDS}
          }
        }
      }
    }
  `,
  data: ({ server }: { server: { backups?: BackupsResult } }) => toBackups(server.backups ?? NO_BACKUPS),
  example: {
    input: { server: EXAMPLE_SERVER.server_id },
    data: { enabled: true, last_at: EXAMPLE_BACKUP.taken_at, next_at: '2026-01-22T12:00:00.000Z', backups: [EXAMPLE_BACKUP] },
  },
});

export const SERVER_READS: readonly AnyEndpoint[] = [listServers, getServer, listServerOperations, getServerOperation, listServerBackups];
