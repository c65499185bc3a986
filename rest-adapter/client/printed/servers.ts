// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface ReverseName {
  ip: string;
  name: string | null;
  /** Whether the name is served by now; failed: it is tried again. */
  state: 'none' | 'pending' | 'set' | 'failed';
}

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
  /** Of a VPS, its town or region; null: not known yet. Of a dedicated server null. */
  location: string | null;
  /** Its own address first. */
  ipv4: string[];
  reverse_names: ReverseName[];
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

export interface ServerState {
  server: Server;
}

export interface ServerBackup {
  backup_id: string;
  /** safety: taken before a restore. */
  kind: 'scheduled' | 'manual' | 'safety';
  taken_at: string;
  size_gb: number;
  /** When it is removed; null: once newer ones have come. */
  expires_at: string | null;
}

export interface ListServerBackupsData {
  /** Whether a copy is taken every week. */
  enabled: boolean;
  last_at: string | null;
  next_at: string | null;
  backups: ServerBackup[];
}

export interface ServerCancellation {
  server_id: string;
  cancel_at_period_end: boolean;
  /** Its subscription has ended already: a renewal was owed. */
  ended: boolean;
  /** The end of what is paid. */
  paid_until: string;
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

export interface ChangeServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** What it is called; empty: its host name. */
  name: string;
}

export interface ListServerBackupsInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface SetServerReverseNameInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
  /** One of its addresses. */
  ip: string;
  /** A host name; absent or empty: the address has none. */
  name?: string;
}

export interface CancelServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export interface KeepServerInput {
  /** Identifier of the server, from the list (server_id). */
  server_id: string;
}

export const serversMethods = (call: Call) => ({
  /**
   * VPS and dedicated servers of the account, newest first, also those that are gone: state and kind leave some out. Passwords are shown in
   * the dashboard alone. Scope of the key: `servers`.
   */
  listServers: (input: ListServersInput = {}, options?: CallOptions): Promise<ListServersData> =>
    call<ListServersData>({ method: 'GET', path: '/v1/servers' }, input, options),
  /** All that `listServers` has, page after page. */
  eachServer: (input: ListServersInput = {}, options?: CallOptions): AsyncGenerator<Server> =>
    eachItem<Server>(
      call, { method: 'GET', path: '/v1/servers' },
      { by: 'page', list: 'servers' }, input, options,
    ),

  /** One VPS or dedicated server: its state, power, addresses and system. Scope of the key: `servers`. */
  getServer: (input: GetServerInput, options?: CallOptions): Promise<ServerState> =>
    call<ServerState>({ method: 'GET', path: '/v1/servers/{server_id}' }, input, options),

  /** Sets what a server is called in lists. Its host name stays as it is. Scope of the key: `servers`. */
  changeServer: (input: ChangeServerInput, options?: CallOptions): Promise<ServerState> =>
    call<ServerState>({ method: 'PATCH', path: '/v1/servers/{server_id}' }, input, options),

  /**
   * The copies of a VPS on separate storage, newest first, any of which can be restored. A dedicated server has none. Scope of the key:
   * `servers`.
   */
  listServerBackups: (input: ListServerBackupsInput, options?: CallOptions): Promise<ListServerBackupsData> =>
    call<ListServerBackupsData>({ method: 'GET', path: '/v1/servers/{server_id}/backups' }, input, options),

  /**
   * The name that reverse DNS gives for one of a server's addresses. It is served within minutes: reverse_names says whether it is. Scope
   * of the key: `servers`.
   */
  setServerReverseName: (input: SetServerReverseNameInput, options?: CallOptions): Promise<ServerState> =>
    call<ServerState>({ method: 'POST', path: '/v1/servers/{server_id}/reverse-names' }, input, options),

  /**
   * Ends its subscription with the period that is paid; then the server, its data and its backups are deleted for good. Until then
   * keep_server takes it back. Scope of the key: `servers`.
   */
  cancelServer: (input: CancelServerInput, options?: CallOptions): Promise<ServerCancellation> =>
    call<ServerCancellation>({ method: 'POST', path: '/v1/servers/{server_id}/cancel' }, input, options),

  /** Takes the cancellation of a server back, as long as it has not ended: it renews again. Scope of the key: `servers`. */
  keepServer: (input: KeepServerInput, options?: CallOptions): Promise<ServerCancellation> =>
    call<ServerCancellation>({ method: 'POST', path: '/v1/servers/{server_id}/keep' }, input, options),
});
