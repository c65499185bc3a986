// The desk's commands on servers, their operations and the nodes of the hypervisor: `npm run --silent servers -- COMMAND ...`.
import { type DeskCommand, Refusal, table } from '#platform/desk-command.ts';
import { nodesView, setNodeMaintenance } from '../machines/services/infrastructure.ts';
import { operationsOfServer } from '../operations/entities/operation.ts';
import type { ComputeContext } from '../providers.ts';
import {
  changeServerAddress,
  deleteServer,
  drainNode,
  moveServer,
  rebuildServer,
  restoreServer,
  staffServer,
  suspendServer,
} from '../provisioning/services/staff-on-servers.ts';
import { retryOperation, stuckNow } from '../provisioning/services/stuck-operations.ts';
import { staffActions } from '../servers/domain/staff-action.ts';
import { staffFacts } from '../servers/services/server-facts.ts';

/** The options that commands take, besides `--by`. */
export const SERVER_OPTIONS = ['reason', 'hostname', 'node', 'ip'] as const;

export interface ServerWords extends Partial<Record<(typeof SERVER_OPTIONS)[number], string | undefined>> {
  /** The word after the command; empty for a command that takes none. */
  of: string;
}

/** An option that the command needs. */
function needed(words: ServerWords, option: (typeof SERVER_OPTIONS)[number]): string {
  const word = words[option];
  if (word === undefined) throw new Refusal(`This needs --${option}.`);
  return word;
}
const wishOf = (words: ServerWords) => ({ id: words.of, reason: needed(words, 'reason') });

async function showServer(ctx: ComputeContext, id: string): Promise<string> {
  const server = await staffServer(ctx, id);
  const { hostname, accountId, status, powerState, node, machineNumber, ipv4, haltedReason } = server;
  const actions = staffActions(await staffFacts(ctx, server));
  const facts: [string, string | number | null][] = [
    ['server', `${id} ${hostname}`],
    ['account', accountId],
    ['state', `${status} ${powerState}`],
    ['machine', node === null ? null : `${node} ${machineNumber}`],
    ['addresses', ipv4.join(' ')],
    ['suspended', haltedReason],
    [
      'possible',
      actions
        .filter(({ allowed }) => allowed)
        .map(({ action }) => action)
        .join(' '),
    ],
  ];
  const operations = await operationsOfServer(ctx.em, id, 10);
  return table([
    ...facts,
    ...operations.map(({ id: operationId, command, status: end, step, startedAt, trouble, errorMessage }) => [
      ...[operationId, startedAt.toISOString(), command, end === 'RUNNING' ? step : end, trouble ?? errorMessage],
    ]),
  ]);
}

export const SERVER_COMMANDS: Readonly<Record<string, DeskCommand<ComputeContext, ServerWords>>> = {
  show: {
    permission: 'customers',
    words: 'SERVER',
    about: 'where it is, what can be done with it, and what was done',
    run: (ctx, { of }) => showServer(ctx, of),
  },
  suspend: {
    permission: 'suspend',
    words: 'SERVER --reason TEXT',
    about: 'switches it off until it is restored; its data stays, its owner is told',
    async run(ctx, words) {
      await suspendServer(ctx, wishOf(words));
      return `${words.of} is suspended.`;
    },
  },
  restore: {
    permission: 'suspend',
    words: 'SERVER --reason TEXT',
    about: 'lets it run again; its owner is told',
    async run(ctx, words) {
      await restoreServer(ctx, wishOf(words));
      return `${words.of} is restored.`;
    },
  },
  delete: {
    permission: 'suspend',
    words: 'SERVER --hostname NAME --reason TEXT',
    about: 'ends its subscription and removes it now, with disks and backups; its owner is told',
    async run(ctx, words) {
      await deleteServer(ctx, { ...wishOf(words), hostname: needed(words, 'hostname') });
      return `${words.of} is being deleted.`;
    },
  },
  rebuild: {
    permission: 'machines',
    words: 'SERVER --hostname NAME --reason TEXT',
    about: 'wipes it and installs its system anew; its owner is told',
    run: async (ctx, words) => `${(await rebuildServer(ctx, { ...wishOf(words), hostname: needed(words, 'hostname') })).id} has begun.`,
  },
  move: {
    permission: 'machines',
    words: 'SERVER [--node NODE] --reason TEXT',
    about: 'to that node, or to any that has room; it goes on running',
    async run(ctx, words) {
      const { id, target } = await moveServer(ctx, { ...wishOf(words), node: words.node });
      return `${id} has begun: to ${target}.`;
    },
  },
  'change-address': {
    permission: 'machines',
    words: 'SERVER --ip ADDRESS --reason TEXT',
    about: 'another address in the place of this one; it is restarted, its owner is told',
    run: async (ctx, words) => `${(await changeServerAddress(ctx, { ...wishOf(words), ip: needed(words, 'ip') })).id} has begun.`,
  },
  nodes: {
    permission: 'machines',
    words: '',
    about: 'each node: its state, its machines, memory in GB that is left, and what fits next',
    async run(ctx) {
      const { nodes, silence } = await nodesView(ctx);
      const rows = nodes.map(({ name, online, inMaintenance, accounts, left, fits }) => [
        ...[name, online ? (inMaintenance ? 'maintenance' : 'on') : 'off'],
        ...[[...accounts.values()].reduce((sum, count) => sum + count, 0), left.ramGb],
        fits.map(({ plan, machines }) => `${plan} ${machines}`).join(', '),
      ]);
      return table(silence === null ? rows : [['silent', silence], ...rows]);
    },
  },
  drain: {
    permission: 'machines',
    words: 'NODE --reason TEXT',
    about: 'takes it into maintenance and moves its machines to other nodes, two at a time',
    async run(ctx, words) {
      const count = await drainNode(ctx, { name: words.of, reason: needed(words, 'reason') });
      return `${words.of} is in maintenance; machines that begin to move: ${count}.`;
    },
  },
  'end-maintenance': {
    permission: 'machines',
    words: 'NODE',
    about: 'new machines are placed there again',
    async run(ctx, { of }) {
      await setNodeMaintenance(ctx, of, false);
      return `${of} takes machines.`;
    },
  },
  stuck: {
    permission: 'machines',
    words: '',
    about: 'operations that make no progress, with what met them last',
    run: async (ctx) =>
      table(
        (await stuckNow(ctx)).map(({ id, serverId, command, step, startedAt, tries, trouble }) => [
          ...[id, serverId, command, step, startedAt.toISOString(), tries, trouble],
        ]),
      ),
  },
  again: {
    permission: 'machines',
    words: 'OPERATION',
    about: 'tries it now, not at its usual time',
    async run(ctx, { of }) {
      await retryOperation(ctx, of);
      return `${of} is tried now.`;
    },
  },
};
