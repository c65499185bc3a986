// The endpoints that change what a server is called, at once.
import { z } from 'zod';
import { type AnyEndpoint, defineEndpoint } from '../endpoint.ts';
import { EXAMPLE_SERVER, ON_SERVER, SERVER, SERVER_FIELDS, type ServerResult, toServer } from './server.ts';

const changeServer = defineEndpoint({
  ...ON_SERVER,
  method: 'PATCH',
  path: '/v1/servers/{server_id}',
  tool: 'change_server',
  title: 'Rename a server',
  description: 'Sets what a server is called in lists. Its host name stays as it is.',
  message: 'Server changed.',
  input: z.object({
    ...ON_SERVER.input.shape,
    name: z.string().max(100).describe('What it is called; empty: its host name.'),
  }),
  codes: ['action_not_allowed'],
  output: z.object({ server: SERVER }),
  outputName: 'ServerState',
  readOnly: false,
  operation: /* GraphQL */ `
    mutation ChangeServer($id: ID!, $name: String) {
      serverRename(id: $id, name: $name) {
        ${SERVER_FIELDS}
      }
    }
  `,
  variables: ({ server, name }) => ({ ...ON_SERVER.variables({ server }), name: name === '' ? null : name }),
  data: ({ serverRename }: { serverRename: ServerResult }) => ({ server: toServer(serverRename) }),
  example: { input: { server: EXAMPLE_SERVER.server_id, name: EXAMPLE_SERVER.name }, data: { server: EXAMPLE_SERVER } },
});

const setServerReverseName = defineEndpoint({
  ...ON_SERVER,
  method: 'POST',
  path: '/v1/servers/{server_id}/reverse-names',
  tool: 'set_server_reverse_name',
  title: 'Set a reverse name',
  description:
    "The name that reverse DNS gives for one of a server's addresses. It is served within minutes: reverse_names says whether it is.",
  message: 'Reverse name set.',
  input: z.object({
    ...ON_SERVER.input.shape,
    ip: z.string().describe('One of its addresses.'),
    name: z.string().max(253).describe('A host name; absent or empty: the address has none.').optional(),
  }),
  codes: ['action_not_allowed', 'reverse_names_not_available'],
  output: z.object({ server: SERVER }),
  outputName: 'ServerState',
  readOnly: false,
  operation: /* GraphQL */ `
    mutation SetServerReverseName($id: ID!, $ip: String!, $name: String) {
      serverSetReverseName(id: $id, ip: $ip, name: $name) {
        ${SERVER_FIELDS}
      }
    }
  `,
  variables: ({ server, ip, name }) => ({ ...ON_SERVER.variables({ server }), ip, name: name === '' ? null : name }),
  data: ({ serverSetReverseName }: { serverSetReverseName: ServerResult }) => ({ server: toServer(serverSetReverseName) }),
  example: {
    input: { server: EXAMPLE_SERVER.server_id, ip: EXAMPLE_SERVER.ipv4[0], name: 'shop.example' },
    data: { server: EXAMPLE_SERVER },
  },
});

/** What the two that change its subscription have in common. */
const CANCELLATION = {
  ...ON_SERVER,
  method: 'POST',
  codes: ['action_not_allowed'],
  output: z.object({
    server_id: z.string(),
    cancel_at_period_end: z.boolean(),
    ended: z.boolean().describe('Its subscription has ended already: a renewal was owed.'),
    paid_until: z.string().describe('The end of what is paid.'),
  }),
  outputName: 'ServerCancellation',
  readOnly: false,
} as const;

interface SubscriptionResult {
  cancelAtPeriodEnd: boolean;
  endedAt: string | null;
  currentPeriodEnd: string;
}
const SUBSCRIPTION_FIELDS = 'cancelAtPeriodEnd endedAt currentPeriodEnd';
const toCancellation = (serverId: string, { cancelAtPeriodEnd, endedAt, currentPeriodEnd }: SubscriptionResult) => ({
  server_id: serverId,
  cancel_at_period_end: cancelAtPeriodEnd,
  ended: endedAt !== null,
  paid_until: currentPeriodEnd,
});
const EXAMPLE_CANCELLATION = {
  server_id: EXAMPLE_SERVER.server_id,
  cancel_at_period_end: true,
  ended: false,
  paid_until: '2026-02-15T12:00:00.000Z',
};

const cancelServer = defineEndpoint({
  ...CANCELLATION,
  path: '/v1/servers/{server_id}/cancel',
  tool: 'cancel_server',
  title: 'Cancel a server',
  description:
    'Ends its subscription with the period that is paid; then the server, its data and its backups are deleted for good. Until then keep_server takes it back.',
  message: 'Server cancelled.',
  destructive: true,
  operation: `mutation CancelServer($id: ID!) { serverCancel(id: $id) { ${SUBSCRIPTION_FIELDS} } }`,
  data: ({ serverCancel }: { serverCancel: SubscriptionResult }, { server }) => toCancellation(server, serverCancel),
  example: { input: { server: EXAMPLE_SERVER.server_id }, data: EXAMPLE_CANCELLATION },
});

const keepServer = defineEndpoint({
  ...CANCELLATION,
  path: '/v1/servers/{server_id}/keep',
  tool: 'keep_server',
  title: 'Keep a cancelled server',
  description: 'Takes the cancellation of a server back, as long as it has not ended: it renews again.',
  message: 'Server kept.',
  operation: `mutation KeepServer($id: ID!) { serverKeep(id: $id) { ${SUBSCRIPTION_FIELDS} } }`,
  data: ({ serverKeep }: { serverKeep: SubscriptionResult }, { server }) => toCancellation(server, serverKeep),
  example: { input: { server: EXAMPLE_SERVER.server_id }, data: { ...EXAMPLE_CANCELLATION, cancel_at_period_end: false } },
});

export const SERVER_CHANGES: readonly AnyEndpoint[] = [changeServer, setServerReverseName, cancelServer, keepServer];
