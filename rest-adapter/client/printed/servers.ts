// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface Server {
  server_id: string;
  kind: 'vps' | 'dedicated';
  /** Name of its plan. */
  plan: string;
  /** What its owner calls it; its host name as long as that is nothing else. */
  name: string;
  hostname: string;
  /** building and removed: a VPS; provisioning, reinstalling, decommissioned: a dedicated server. */
  state: 'building' | 'provisioning' | 'active' | 'reinstalling' | 'suspended' | 'removed' | 'decommissioned';
  power: 'running' | 'stopped' | 'starting' | 'stopping' | 'restarting' | 'unknown';
  /** Its own address first. */
  ipv4: string[];
  reverse_names: {
    ip: string;
    name: string | null;
    /** Whether the name is served by now; failed: it is tried again. */
    state: 'none' | 'pending' | 'set' | 'failed';
  }[];
  /** For example debian_13. */
  os: string | null;
  /** Whom to log in as, once it is active. */
  login_name: string | null;
  labels: Record<string, string>;
  /** Against a reinstall and a restore by mistake. */
  protected: boolean;
  /** Its rescue system runs. */
  in_rescue: boolean;
  cancel_at_period_end: boolean;
  /** null until its subscription has begun. */
  paid_until: string | null;
  created_at: string;
}

export interface ListServersData {
  servers: Server[];
  total: number;
  currentPage: number;
  totalPages: number;
}

export interface GetServerData {
  server: Server;
}

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
  error: {
    code: string;
    message: string;
  } | null;
}

export interface ListServerOperationsData {
  operations: ServerOperation[];
}

export interface GetServerOperationData {
  operation: ServerOperation;
}

export interface ListServersInput {
  /** Only this kind. */
  kind?: 'vps' | 'dedicated';
  /** Only servers in this state. */
  state?: 'building' | 'provisioning' | 'active' | 'reinstalling' | 'suspended' | 'removed' | 'decommissioned';
  /** Page number; a page past the end is empty. Default: 1. */
  page?: number;
  /** Results per page, at most 100. Default: 25. */
  limit?: number;
}

export interface GetServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface ListServerOperationsInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** How many at most. Default: 20. */
  limit?: number;
}

export interface GetServerOperationInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** operation_id of an operation of the server. */
  operation_id: string;
}

export const serversMethods = (call: Call) => ({
  /**
   * VPS and dedicated servers of the account, newest first, also those that are gone: state and kind leave some out. Passwords are shown in
   * the dashboard alone.
   */
  listServers: (input: ListServersInput = {}, options?: CallOptions): Promise<ListServersData> =>
    call<ListServersData>({ method: 'GET', path: '/v1/servers' }, input, options),
  /** All that `listServers` has, page after page. */
  eachServer: (input: ListServersInput = {}, options?: CallOptions): AsyncGenerator<Server> =>
    eachItem<Server>(call, { method: 'GET', path: '/v1/servers' }, { by: 'page', list: 'servers' }, input, options),

  /** One VPS or dedicated server: its state, power, addresses and system. */
  getServer: (input: GetServerInput, options?: CallOptions): Promise<GetServerData> =>
    call<GetServerData>({ method: 'GET', path: '/v1/servers/{server_id}' }, input, options),

  /** What is done to a server, and was, newest first: builds, starts, stops, reinstalls, backups. One at a time runs. */
  listServerOperations: (input: ListServerOperationsInput, options?: CallOptions): Promise<ListServerOperationsData> =>
    call<ListServerOperationsData>({ method: 'GET', path: '/v1/servers/{server_id}/operations' }, input, options),

  /** How far an operation is, to be asked every few seconds until its status is success or error. The newest 100 of a server are known. */
  getServerOperation: (input: GetServerOperationInput, options?: CallOptions): Promise<GetServerOperationData> =>
    call<GetServerOperationData>({ method: 'GET', path: '/v1/servers/{server_id}/operations/{operation_id}' }, input, options),
});
