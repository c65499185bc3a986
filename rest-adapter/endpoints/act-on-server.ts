// The endpoints that begin an operation of a server. Each answers with the operation, which is asked for until it has ended.
import { z } from 'zod';
import { IDEMPOTENCY_KEY_LENGTH as KEY_LENGTH } from '../../schema/limits.ts';
import { type AnyEndpoint, defineEndpoint, toId } from '../endpoint.ts';
import {
  EXAMPLE_BACKUP,
  EXAMPLE_OPERATION,
  EXAMPLE_SERVER,
  ON_SERVER,
  OPERATION,
  OPERATION_FIELDS,
  type OperationResult,
  toOperation,
} from './server.ts';

const IDEMPOTENCY_KEY = z
  .string()
  .min(KEY_LENGTH.least)
  .max(KEY_LENGTH.most)
  .describe('Of your own choice. The same request with the same key within a day answers with the operation that the first one began.')
  .optional();
const EXAMPLE_KEY = '8e03978e-40d5-43dd-bc93-6894a57f9324';

/** What all of them have in common. */
const BEGINNING = {
  ...ON_SERVER,
  method: 'POST',
  status: 202,
  input: z.object({ ...ON_SERVER.input.shape, idempotency_key: IDEMPOTENCY_KEY }),
  restNames: { ...ON_SERVER.restNames, idempotency_key: 'Idempotency-Key' },
  headers: ['idempotency_key'],
  refusals: {
    ...ON_SERVER.refusals,
    idempotency_key: { code: 'parameter_invalid', message: `An idempotency key has ${KEY_LENGTH.least} to ${KEY_LENGTH.most} characters.` },
  },
  codes: ['action_not_allowed', 'servers_not_sold', 'idempotency_conflict'],
  output: z.object({ operation: OPERATION }),
  outputName: 'ServerOperationState',
  readOnly: false,
} as const;

const EXAMPLE_INPUT = { server: EXAMPLE_SERVER.server_id, idempotency_key: EXAMPLE_KEY };
const begun = (command: string) => ({ operation: { ...EXAMPLE_OPERATION, command } });

interface Action {
  /** As the graph names it; in the path, it is in lower case with hyphens. */
  action: 'START' | 'REBOOT' | 'STOP' | 'FORCE_STOP' | 'RESET_PASSWORD' | 'RESCUE' | 'LEAVE_RESCUE' | 'TAKE_BACKUP';
  /** The command of its operation. */
  command: string;
  tool: string;
  title: string;
  description: string;
  message: string;
  destructive?: true;
}

const actionEndpoint = ({ action, command, ...said }: Action) =>
  defineEndpoint({
    ...BEGINNING,
    path: `/v1/servers/{server_id}/actions/${action.toLowerCase().replaceAll('_', '-')}`,
    ...said,
    operation: /* GraphQL */ `
      mutation ActOnServer($id: ID!, $action: ServerAction!, $key: String) {
        serverAct(id: $id, action: $action, idempotencyKey: $key) {
          ${OPERATION_FIELDS}
        }
      }
    `,
    variables: ({ server, idempotency_key: key }) => ({ ...ON_SERVER.variables({ server }), action, key }),
    data: ({ serverAct }: { serverAct: OperationResult }) => ({ operation: toOperation(serverAct) }),
    example: { input: EXAMPLE_INPUT, data: begun(command) },
  });

const ACTIONS = [
  {
    action: 'START',
    command: 'start',
    tool: 'start_server',
    title: 'Start a server',
    description: 'Switches a stopped server on.',
    message: 'The server is started.',
  },
  {
    action: 'REBOOT',
    command: 'reboot',
    tool: 'reboot_server',
    title: 'Reboot a server',
    description: 'Asks the operating system to restart.',
    message: 'The server is rebooted.',
  },
  {
    action: 'STOP',
    command: 'stop',
    tool: 'stop_server',
    title: 'Stop a server',
    description: 'Asks the operating system to end. A server that does not react is left running; it is paid for while it is stopped, too.',
    message: 'The server is stopped.',
  },
  {
    action: 'FORCE_STOP',
    command: 'force_stop',
    tool: 'force_stop_server',
    title: 'Force a server to stop',
    description:
      'Cuts the power, also while another operation runs, which ends by it. What the server has not written to its disk is lost.',
    message: 'The power of the server is cut.',
    destructive: true,
  },
  {
    action: 'RESET_PASSWORD',
    command: 'reset_password',
    tool: 'reset_server_password',
    title: "Reset a server's password",
    description:
      'A new generated password for a running server. It is shown in the dashboard alone; a dedicated server is restarted for it.',
    message: 'The server gets a new password.',
    destructive: true,
  },
  {
    action: 'RESCUE',
    command: 'rescue',
    tool: 'rescue_server',
    title: 'Start the rescue system',
    description:
      'Restarts the server from a rescue system; its disks stay as they are. The password of that system is shown in the dashboard alone.',
    message: 'The server is restarted from its rescue system.',
  },
  {
    action: 'LEAVE_RESCUE',
    command: 'rescue_end',
    tool: 'leave_server_rescue',
    title: 'Leave the rescue system',
    description: 'Restarts the server from its disks.',
    message: 'The server is restarted from its disks.',
  },
  {
    action: 'TAKE_BACKUP',
    command: 'backup',
    tool: 'take_server_backup',
    title: 'Back a VPS up now',
    description: 'Copies a VPS with weekly backups to the backup storage now, besides the schedule.',
    message: 'The VPS is backed up.',
  },
] as const satisfies readonly Action[];

/** The systems of servers, by the names of the API. */
export const SYSTEMS = ['ubuntu_24_04', 'ubuntu_25_04', 'debian_12', 'debian_13', 'windows_server_2022'] as const;

const reinstallServer = defineEndpoint({
  ...BEGINNING,
  path: '/v1/servers/{server_id}/actions/reinstall',
  tool: 'reinstall_server',
  title: 'Reinstall a server',
  description:
    'Wipes the server and installs a system. Everything on its disks is lost; addresses and backups stay. Refused while it is protected.',
  message: 'The server is reinstalled.',
  destructive: true,
  input: z.object({
    ...BEGINNING.input.shape,
    os: z.enum(SYSTEMS).describe('The system to install.'),
    password: z.string().describe('The password of its login. Absent: one is generated, which the dashboard alone shows.').optional(),
    ssh_keys: z.array(z.string()).max(20).describe('Public keys of a VPS with Linux from now on. Absent: those that it has.').optional(),
  }),
  operation: /* GraphQL */ `
    mutation ReinstallServer($id: ID!, $os: OperatingSystem!, $password: String, $sshKeys: [String!], $key: String) {
      serverReinstall(id: $id, os: $os, password: $password, sshKeys: $sshKeys, idempotencyKey: $key) {
        ${OPERATION_FIELDS}
      }
    }
  `,
  variables: ({ server, os, password, ssh_keys: sshKeys, idempotency_key: key }) => ({
    ...ON_SERVER.variables({ server }),
    os: os.toUpperCase(),
    password,
    sshKeys,
    key,
  }),
  data: ({ serverReinstall }: { serverReinstall: OperationResult }) => ({ operation: toOperation(serverReinstall) }),
  example: { input: { ...EXAMPLE_INPUT, os: 'debian_13' }, data: begun('reinstall') },
});

const restoreServer = defineEndpoint({
  ...BEGINNING,
  path: '/v1/servers/{server_id}/actions/restore',
  tool: 'restore_server',
  title: 'Restore a VPS',
  description:
    'Puts a backup in the place of a whole VPS. What has changed since is lost, except for a copy that is kept for a day. Refused while it is protected.',
  message: 'The VPS is restored.',
  destructive: true,
  input: z.object({
    ...BEGINNING.input.shape,
    backup: z.string().describe('backup_id of one of its backups.'),
    hostname: z.string().describe('The host name of the server, to confirm it.'),
  }),
  restNames: { ...BEGINNING.restNames, backup: 'backup_id' },
  refusals: { ...BEGINNING.refusals, backup: { code: 'backup_not_found' } },
  operation: /* GraphQL */ `
    mutation RestoreServer($id: ID!, $backup: ID!, $hostname: String!, $key: String) {
      vpsRestore(id: $id, backup: $backup, hostname: $hostname, idempotencyKey: $key) {
        ${OPERATION_FIELDS}
      }
    }
  `,
  variables: ({ server, backup, hostname, idempotency_key: key }) => ({
    ...ON_SERVER.variables({ server }),
    backup: toId(backup),
    hostname,
    key,
  }),
  data: ({ vpsRestore }: { vpsRestore: OperationResult }) => ({ operation: toOperation(vpsRestore) }),
  example: {
    input: { ...EXAMPLE_INPUT, backup: EXAMPLE_BACKUP.backup_id, hostname: EXAMPLE_SERVER.hostname },
    data: begun('restore'),
  },
});

export const SERVER_ACTIONS: readonly AnyEndpoint[] = [...ACTIONS.map(actionEndpoint), reinstallServer, restoreServer];
