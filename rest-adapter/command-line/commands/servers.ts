import type { Server, ServerOperation } from '../../client/index.ts';
import type { Command } from '../command.ts';
import { card, table } from '../table.ts';

const KINDS = ['vps', 'dedicated'] as const;
const STATES = ['building', 'provisioning', 'active', 'reinstalling', 'suspended', 'removed', 'decommissioned'] as const;

/** The most operations of one request to the API. */
const PAGE = 100;

/** The lines of a server. */
export const serverCard = (server: Server): string[] =>
  card({
    ...server,
    labels: Object.entries(server.labels).map(([key, value]) => `${key}=${value}`),
    reverse_names: server.reverse_names.map(({ ip, name, state }) => `${ip} ${name ?? '-'} (${state})`),
  });

/** The lines of an operation. */
export const operationCard = ({ error, ...rest }: ServerOperation): string[] =>
  card({ ...rest, error: error === null ? null : `${error.code}: ${error.message}` });

const rowOf = (operation: ServerOperation) => [
  operation.operation_id,
  operation.command,
  operation.status,
  operation.progress,
  operation.started_at,
  operation.error?.code ?? null,
];

export const SERVER_COMMANDS: readonly Command[] = [
  {
    name: 'servers list',
    options: {
      kind: { value: 'KIND', says: 'vps or dedicated' },
      state: { value: 'STATE', says: 'active, suspended, building and so on' },
    },
    says: 'lists VPS and dedicated servers',
    async run({ client, given, answer, terminal }) {
      const [kind, state] = [given.oneOf('kind', KINDS), given.oneOf('state', STATES)];
      const servers: Server[] = [];
      const input = { limit: 100, ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) };
      for await (const server of client.eachServer(input, terminal)) servers.push(server);
      const rows = servers.map(({ server_id, name, plan, state: stands, power, location, ipv4 }) => [
        server_id,
        name,
        plan,
        stands,
        power,
        location,
        ipv4[0] ?? null,
      ]);
      answer(
        { servers },
        table(['SERVER', 'NAME', 'PLAN', 'STATE', 'POWER', 'LOCATION', 'ADDRESS'], rows, 'The account has no such servers.'),
      );
    },
  },
  {
    name: 'servers show',
    operands: ['SERVER'],
    says: 'shows a server with its addresses',
    async run({ client, given, answer, terminal }) {
      const data = await client.getServer({ server_id: given.needed('SERVER') }, terminal);
      answer(data, serverCard(data.server));
    },
  },
  {
    name: 'servers operations',
    operands: ['SERVER'],
    options: { limit: { value: 'N', says: 'at most so many; else 20' } },
    says: 'lists what is done to a server, and was',
    async run({ client, given, answer, terminal }) {
      const most = given.number('limit') ?? 20;
      const input = { server_id: given.needed('SERVER'), limit: Math.min(most, PAGE) };
      const operations: ServerOperation[] = [];
      for await (const operation of client.eachServerOperation(input, terminal)) if (operations.push(operation) >= most) break;
      const headings = ['OPERATION', 'COMMAND', 'STATUS', '%', 'STARTED', 'ERROR'];
      answer({ operations }, table(headings, operations.map(rowOf), 'Nothing was done to it.'));
    },
  },
  {
    name: 'servers operation',
    operands: ['SERVER', 'OPERATION'],
    says: 'shows how far an operation is',
    async run({ client, given, answer, terminal }) {
      const input = { server_id: given.needed('SERVER'), operation_id: given.needed('OPERATION') };
      const data = await client.getServerOperation(input, terminal);
      answer(data, operationCard(data.operation));
    },
  },
];
