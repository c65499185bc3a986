// Servers and their operations in REST and MCP: their form in answers, and what the endpoints on one server have in common.
import { z } from 'zod';
import { toGb } from '#platform/data-size.ts';
import { fail } from '#platform/errors.ts';
import { toId } from '../endpoint.ts';

export const SERVER_KINDS = ['vps', 'dedicated'] as const;
/** A VPS is built, active, suspended, removed; a dedicated server is provisioned, active, reinstalled, suspended, decommissioned. */
export const SERVER_STATES = ['building', 'provisioning', 'active', 'reinstalling', 'suspended', 'removed', 'decommissioned'] as const;

interface Plan {
  name: string;
}

/** The fields of SERVER_FIELDS, as the graph answers them. */
export interface ServerResult {
  kind: 'Vps' | 'DedicatedServer';
  id: string;
  vpsPlan?: Plan;
  dedicatedPlan?: Plan;
  vpsStatus?: string;
  vpsLocation?: string | null;
  dedicatedStatus?: string;
  name: string;
  hostname: string;
  powerState: string;
  ipv4: string[];
  reverseNames: { ip: string; name: string | null; state: string }[];
  os: string | null;
  loginName: string | null;
  labels: { key: string; value: string }[];
  protected: boolean;
  inRescue: boolean;
  cancelAtPeriodEnd: boolean;
  paidUntil: string | null;
  createdAt: string;
}

// The two kinds have other types of plan and status, so that each needs a name of its own.
export const SERVER_FIELDS = /* GraphQL */ `
  kind: __typename
  id
  ... on Vps {
    vpsPlan: plan {
      name
    }
    vpsStatus: status
    vpsLocation: location
  }
  ... on DedicatedServer {
    dedicatedPlan: plan {
      name
    }
    dedicatedStatus: status
  }
  name
  hostname
  powerState
  ipv4
  reverseNames {
    ip
    name
    state
  }
  os
  loginName
  labels {
    key
    value
  }
  protected
  inRescue
  cancelAtPeriodEnd
  paidUntil
  createdAt
`;

export const SERVER = z.object({
  server_id: z.string(),
  kind: z.enum(SERVER_KINDS),
  plan: z.string().describe('Name of its plan.'),
  name: z.string().describe('What its owner calls it; its host name as long as that is nothing else.'),
  hostname: z.string(),
  state: z.enum(SERVER_STATES).describe('building and removed: a VPS; provisioning, reinstalling, decommissioned: a dedicated server.'),
  power: z.enum(['running', 'stopped', 'starting', 'stopping', 'restarting', 'unknown']),
  location: z.string().nullable().describe('Of a VPS, its town or region; null: not known yet. Of a dedicated server null.'),
  ipv4: z.array(z.string()).describe('Its own address first.'),
  reverse_names: z.array(
    z.object({
      ip: z.string(),
      name: z.string().nullable(),
      state: z.enum(['none', 'pending', 'set', 'failed']).describe('Whether the name is served by now; failed: it is tried again.'),
    }),
  ),
  os: z.string().nullable().describe('For example debian_13.'),
  login_name: z.string().nullable().describe('Whom to log in as, once it is active.'),
  labels: z.record(z.string(), z.string()),
  protected: z.boolean().describe('Against a reinstall and a restore by mistake.'),
  in_rescue: z.boolean().describe('Its rescue system runs.'),
  cancel_at_period_end: z.boolean(),
  paid_until: z.string().nullable().describe('null until its subscription has begun.'),
  created_at: z.string(),
});

export const toServer = (server: ServerResult) => ({
  server_id: server.id,
  kind: server.kind === 'Vps' ? 'vps' : 'dedicated',
  plan: (server.vpsPlan ?? server.dedicatedPlan)?.name ?? '',
  name: server.name,
  hostname: server.hostname,
  state: (server.vpsStatus ?? server.dedicatedStatus ?? '').toLowerCase(),
  power: server.powerState.toLowerCase(),
  location: server.vpsLocation ?? null,
  ipv4: server.ipv4,
  reverse_names: server.reverseNames.map(({ ip, name, state }) => ({ ip, name, state: state.toLowerCase() })),
  os: server.os?.toLowerCase() ?? null,
  login_name: server.loginName,
  labels: Object.fromEntries(server.labels.map(({ key, value }) => [key, value])),
  protected: server.protected,
  in_rescue: server.inRescue,
  cancel_at_period_end: server.cancelAtPeriodEnd,
  paid_until: server.paidUntil,
  created_at: server.createdAt,
});

/** The fields of OPERATION_FIELDS, as the graph answers them. */
export interface OperationResult {
  id: string;
  command: string;
  status: string;
  step: string;
  progress: number;
  startedAt: string;
  finishedAt: string | null;
  error: { code: string; message: string } | null;
}

export const OPERATION_FIELDS = /* GraphQL */ `
  id
  command
  status
  step
  progress
  startedAt
  finishedAt
  error {
    code
    message
  }
`;

export const OPERATION = z.object({
  operation_id: z.string(),
  command: z.string().describe('For example reboot; commands are only ever added.'),
  status: z.enum(['running', 'success', 'error']),
  step: z.string().describe('Where it stands, or stood last.'),
  progress: z.int().min(0).max(100),
  started_at: z.string(),
  finished_at: z.string().nullable().describe('null while it runs.'),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why it failed.'),
});

export const toOperation = (operation: OperationResult) => ({
  operation_id: operation.id,
  command: operation.command.toLowerCase(),
  status: operation.status.toLowerCase(),
  step: operation.step.toLowerCase(),
  progress: operation.progress,
  started_at: operation.startedAt,
  finished_at: operation.finishedAt,
  error: operation.error,
});

/** One operation of a server. Throws server_operation_not_found. */
export function operationWithId(operations: readonly OperationResult[], id: string) {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw fail('server_operation_not_found', { field: 'operation' });
  return toOperation(found);
}

/** The fields of BACKUPS_FIELDS, as the graph answers them. */
export interface BackupsResult {
  enabled: boolean;
  lastAt: string | null;
  nextAt: string | null;
  items: { id: string; kind: string; takenAt: string; sizeBytes: number; expiresAt: string | null }[];
}

export const BACKUPS_FIELDS = /* GraphQL */ `
  enabled
  lastAt
  nextAt
  items {
    id
    kind
    takenAt
    sizeBytes
    expiresAt
  }
`;

export const BACKUPS = {
  enabled: z.boolean().describe('Whether a copy is taken every week.'),
  last_at: z.string().nullable(),
  next_at: z.string().nullable(),
  backups: z.array(
    z.object({
      backup_id: z.string(),
      kind: z.enum(['scheduled', 'manual', 'safety']).describe('safety: taken before a restore.'),
      taken_at: z.string(),
      size_gb: z.number(),
      expires_at: z.string().nullable().describe('When it is removed; null: once newer ones have come.'),
    }),
  ),
};

export const toBackups = ({ enabled, lastAt, nextAt, items }: BackupsResult) => ({
  enabled,
  last_at: lastAt,
  next_at: nextAt,
  backups: items.map(({ id, kind, takenAt, sizeBytes, expiresAt }) => ({
    backup_id: id,
    kind: kind.toLowerCase(),
    taken_at: takenAt,
    size_gb: toGb(BigInt(Math.trunc(sizeBytes))),
    expires_at: expiresAt,
  })),
});

/** What all endpoints on one server have in common. */
export const ON_SERVER = {
  scope: 'servers',
  input: z.object({ server: z.string().describe('Identifier of the server, from the list (server_id).') }),
  restNames: { server: 'server_id' },
  refusals: { server: { code: 'server_not_found' } },
  codes: [],
  readOnly: true,
  variables: ({ server }: { server: string }) => ({ id: toId(server) }),
} as const;

export const EXAMPLE_SERVER = {
  server_id: 'vps_01jd8x4m2c7n5q9r3t6v8w0y1z',
  kind: 'vps',
  plan: 'Plank',
  name: 'Shop, main',
  hostname: 'web-1',
  state: 'active',
  power: 'running',
  location: 'Frankfurt',
  ipv4: ['203.0.113.7'],
  reverse_names: [{ ip: '203.0.113.7', name: 'shop.example', state: 'set' }],
  os: 'debian_13',
  login_name: 'debian',
  labels: { team: 'shop' },
  protected: false,
  in_rescue: false,
  cancel_at_period_end: false,
  paid_until: '2026-02-15T12:00:00.000Z',
  created_at: '2026-01-15T12:00:00.000Z',
} as const;
export const EXAMPLE_OPERATION = {
  operation_id: 'op_01jd8x4m2c7n5q9r3t6v8w0y1z',
  command: 'reboot',
  status: 'running',
  step: 'restart',
  progress: 10,
  started_at: '2026-01-15T12:00:00.000Z',
  finished_at: null,
  error: null,
} as const;
export const EXAMPLE_BACKUP = {
  backup_id: 'bkp_01jd8x4m2c7n5q9r3t6v8w0y1z',
  kind: 'manual',
  taken_at: '2026-01-15T12:00:00.000Z',
  size_gb: 4.2,
  expires_at: null,
} as const;
