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

export const SERVER_CHANGES: readonly AnyEndpoint[] = [changeServer, setServerReverseName];
