// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';
import type { ServerOperationError } from './residential-lines.ts';

export interface ServerOperation {
  operation_id: string;
  /** For example reboot; commands are only ever added. */
  command: string;
  status: 'running' | 'success' | 'error';
  /** Where it stands, or stood last. */
  step: string;
  progress: number;
  started_at: string;
  /** null while it runs. */
  finished_at: string | null;
  /** Why it failed. */
  error: ServerOperationError | null;
}

export interface ListServerOperationsData {
  operations: ServerOperation[];
  /** For `after`; null: there are no more. */
  next: string | null;
}

export interface ServerOperationState {
  operation: ServerOperation;
}

export interface ListServerOperationsInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** `next` of the answer before. */
  after?: string;
  /** How many at most. Default: 20. */
  limit?: number;
}

export interface GetServerOperationInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** operation_id of an operation of the server. */
  operation_id: string;
}

export interface StartServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface RebootServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface StopServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface ForceStopServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface ResetServerPasswordInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface RescueServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface LeaveServerRescueInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface TakeServerBackupInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface ReinstallServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** The system to install. */
  os: 'ubuntu_24_04' | 'ubuntu_25_04' | 'debian_12' | 'debian_13' | 'windows_server_2022';
  /** The password of its login. Absent: one is generated, which the dashboard alone shows. */
  password?: string;
  /** Public keys of a VPS with Linux from now on. Absent: those that it has. */
  ssh_keys?: string[];
}

export interface RestoreServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** backup_id of one of its backups. */
  backup_id: string;
  /** The host name of the server, to confirm it. */
  hostname: string;
}

export const serversOperationsMethods = (call: Call) => ({
  /**
   * What is done to a server, and was, newest first: builds, starts, stops, reinstalls, backups. One at a time runs. Go on with `next` as
   * `after`. Scope of the key: `servers`.
   */
  listServerOperations: (input: ListServerOperationsInput, options?: CallOptions): Promise<ListServerOperationsData> =>
    call<ListServerOperationsData>({ method: 'GET', path: '/v1/servers/{server_id}/operations' }, input, options),
  /** All that `listServerOperations` has, page after page. */
  eachServerOperation: (input: ListServerOperationsInput, options?: CallOptions): AsyncGenerator<ServerOperation> =>
    eachItem<ServerOperation>(
      call, { method: 'GET', path: '/v1/servers/{server_id}/operations' },
      { by: 'next', list: 'operations' }, input, options,
    ),

  /**
   * How far an operation is, to be asked every few seconds until its status is success or error. The newest 100 of a server are known.
   * Scope of the key: `servers`.
   */
  getServerOperation: (input: GetServerOperationInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'GET', path: '/v1/servers/{server_id}/operations/{operation_id}' }, input, options),

  /** Switches a stopped server on. Scope of the key: `servers`. */
  startServer: (input: StartServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/start', idempotent: true }, input, options),

  /** Asks the operating system to restart. Scope of the key: `servers`. */
  rebootServer: (input: RebootServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/reboot', idempotent: true }, input, options),

  /**
   * Asks the operating system to end. A server that does not react is left running; it is paid for while it is stopped, too. Scope of the
   * key: `servers`.
   */
  stopServer: (input: StopServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/stop', idempotent: true }, input, options),

  /**
   * Cuts the power, also while another operation runs, which ends by it. What the server has not written to its disk is lost. Scope of the
   * key: `servers`.
   */
  forceStopServer: (input: ForceStopServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/force-stop', idempotent: true }, input, options),

  /**
   * A new generated password for a running server. It is shown in the dashboard alone; a dedicated server is restarted for it. Scope of the
   * key: `servers`.
   */
  resetServerPassword: (input: ResetServerPasswordInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/reset-password', idempotent: true }, input, options),

  /**
   * Restarts the server from a rescue system; its disks stay as they are. The password of that system is shown in the dashboard alone.
   * Scope of the key: `servers`.
   */
  rescueServer: (input: RescueServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/rescue', idempotent: true }, input, options),

  /** Restarts the server from its disks. Scope of the key: `servers`. */
  leaveServerRescue: (input: LeaveServerRescueInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/leave-rescue', idempotent: true }, input, options),

  /** Copies a VPS with weekly backups to the backup storage now, besides the schedule. Scope of the key: `servers`. */
  takeServerBackup: (input: TakeServerBackupInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/take-backup', idempotent: true }, input, options),

  /**
   * Wipes the server and installs a system. Everything on its disks is lost; addresses and backups stay. Refused while it is protected.
   * Scope of the key: `servers`.
   */
  reinstallServer: (input: ReinstallServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/reinstall', idempotent: true }, input, options),

  /**
   * Puts a backup in the place of a whole VPS. What has changed since is lost, except for a copy that is kept for a day. Refused while it
   * is protected. Scope of the key: `servers`.
   */
  restoreServer: (input: RestoreServerInput, options?: CallOptions): Promise<ServerOperationState> =>
    call<ServerOperationState>({ method: 'POST', path: '/v1/servers/{server_id}/actions/restore', idempotent: true }, input, options),
});
