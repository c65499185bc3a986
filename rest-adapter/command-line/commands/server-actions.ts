import type { CallOptions, EgressClient, ServerOperation } from '../../client/index.ts';
import type { Command, Option } from '../command.ts';
import { type Given, WrongUse } from '../given.ts';
import { EVERY, every } from '../every.ts';
import { SYSTEMS } from '../systems.ts';
import { card, table } from '../table.ts';
import { operationCard, serverCard } from './servers.ts';

const BEGINNING: Readonly<Record<string, Option>> = {
  'idempotency-key': { value: 'TEXT', says: 'with the same one within a day, this is done once' },
  wait: { says: 'ends when the operation has ended; with exit code 1 when it has failed' },
  ...EVERY,
};

type Begin = (
  client: EgressClient,
  server: { server_id: string },
  given: Given,
  options: CallOptions,
) => Promise<{ operation: ServerOperation }>;

/** A command that begins an operation, and answers with it; with --wait, as it has ended. */
const beginning = (name: string, says: string, begin: Begin, more: Pick<Command, 'options' | 'operands'> = {}): Command => ({
  name: `servers ${name}`,
  operands: ['SERVER', ...(more.operands ?? [])],
  options: { ...more.options, ...BEGINNING },
  says,
  async run({ client, given, answer, terminal: { signal } }) {
    const idempotencyKey = given.text('idempotency-key');
    const options = { signal, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const server = { server_id: given.needed('SERVER') };
    let data = await begin(client, server, given, options);
    if (given.has('wait')) {
      const { operation_id } = data.operation;
      await every(given, signal, async () => {
        data = await client.getServerOperation({ ...server, operation_id }, { signal });
        return data.operation.status !== 'running';
      });
    }
    answer(data, operationCard(data.operation));
    return data.operation.status === 'error' ? 'refused' : undefined;
  },
});

function reinstallOf(given: Given) {
  const os = SYSTEMS.find((one) => one === given.needed('OS'));
  if (os === undefined) throw new WrongUse(`OS is ${SYSTEMS.join(', ')}.`);
  const [password, keys] = [given.text('password'), given.list('ssh-keys')];
  return { os, ...(password !== undefined && { password }), ...(keys !== undefined && { ssh_keys: keys }) };
}

export const SERVER_ACTION_COMMANDS: readonly Command[] = [
  beginning('start', 'starts a server', (client, server, _given, options) => client.startServer(server, options)),
  beginning('reboot', 'asks a server to restart', (client, server, _given, options) => client.rebootServer(server, options)),
  beginning('stop', 'asks a server to end', (client, server, _given, options) => client.stopServer(server, options)),
  beginning('force-stop', 'cuts the power of a server', (client, server, _given, options) => client.forceStopServer(server, options)),
  beginning('reset-password', 'gives a server a new password, which the dashboard shows', (client, server, _given, options) =>
    client.resetServerPassword(server, options),
  ),
  beginning('rescue', 'restarts a server from its rescue system', (client, server, _given, options) =>
    client.rescueServer(server, options),
  ),
  beginning('leave-rescue', 'restarts a server from its disks', (client, server, _given, options) =>
    client.leaveServerRescue(server, options),
  ),
  beginning(
    'reinstall',
    'wipes a server and installs a system',
    (client, server, given, options) => client.reinstallServer({ ...server, ...reinstallOf(given) }, options),
    {
      operands: ['OS'],
      options: {
        password: { value: 'TEXT', says: 'of its login; else one is generated, which the dashboard shows' },
        'ssh-keys': { value: 'A,B', says: 'public keys of a VPS; else those that it has' },
      },
    },
  ),
  beginning('back-up', 'backs a VPS up now', (client, server, _given, options) => client.takeServerBackup(server, options)),
  beginning(
    'restore',
    'puts a backup in the place of a VPS, whose host name confirms it',
    (client, server, given, options) =>
      client.restoreServer({ ...server, backup_id: given.needed('BACKUP'), hostname: given.needed('HOSTNAME') }, options),
    { operands: ['BACKUP', 'HOSTNAME'] },
  ),
  {
    name: 'servers backups',
    operands: ['SERVER'],
    says: 'lists the backups of a VPS',
    async run({ client, given, answer, terminal }) {
      const data = await client.listServerBackups({ server_id: given.needed('SERVER') }, terminal);
      const { backups, ...rest } = data;
      const rows = backups.map(({ backup_id, kind, taken_at, size_gb, expires_at }) => [backup_id, kind, taken_at, size_gb, expires_at]);
      answer(data, [...card(rest), '', ...table(['BACKUP', 'KIND', 'TAKEN', 'GB', 'EXPIRES'], rows, 'There are no backups.')]);
    },
  },
  {
    name: 'servers rename',
    operands: ['SERVER', 'NAME'],
    says: 'sets what a server is called',
    async run({ client, given, answer, terminal }) {
      const data = await client.changeServer({ server_id: given.needed('SERVER'), name: given.text('NAME') ?? '' }, terminal);
      answer(data, serverCard(data.server));
    },
  },
  {
    name: 'servers cancel',
    operands: ['SERVER'],
    says: 'ends it with the period that is paid; then its data is deleted',
    async run({ client, given, answer, terminal }) {
      const data = await client.cancelServer({ server_id: given.needed('SERVER') }, terminal);
      answer(data, card(data));
    },
  },
  {
    name: 'servers keep',
    operands: ['SERVER'],
    says: 'takes a cancellation back',
    async run({ client, given, answer, terminal }) {
      const data = await client.keepServer({ server_id: given.needed('SERVER') }, terminal);
      answer(data, card(data));
    },
  },
  {
    name: 'servers reverse-name',
    operands: ['SERVER', 'ADDRESS', 'NAME'],
    says: 'sets the reverse DNS name of an address; an empty one takes it away',
    async run({ client, given, answer, terminal }) {
      const input = { server_id: given.needed('SERVER'), ip: given.needed('ADDRESS'), name: given.text('NAME') ?? '' };
      const data = await client.setServerReverseName(input, terminal);
      answer(data, serverCard(data.server));
    },
  },
];
