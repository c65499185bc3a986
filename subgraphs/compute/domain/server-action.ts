// What an owner may ask of a server, and when. One table for the guard, the disabled buttons and their reasons.
// Spec is silent: the power axis and its rules follow Hetzner Cloud's server actions.
import { fail } from '#shared/errors.ts';
import type { ServerStatus } from './server-lifecycle.ts';

export const POWER_STATES = ['RUNNING', 'STOPPED', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN'] as const;
export type PowerState = (typeof POWER_STATES)[number];

export type ServerAction = 'start' | 'reboot' | 'stop' | 'force_stop' | 'reset_password' | 'upgrade' | 'reinstall' | 'cancel';

/** The facts that decide. */
export interface ServerFacts {
  kind: 'VPS' | 'DEDICATED';
  status: ServerStatus;
  powerState: PowerState;
  cancelAtPeriodEnd: boolean;
  /** Another action of this server is still under way. */
  busy?: boolean;
}

interface ActionRow {
  action: ServerAction;
  /** Absent: both kinds have it. */
  kind?: ServerFacts['kind'];
  /** Power states in which it makes sense; absent: any. */
  from?: readonly PowerState[];
  /** What the reason says it needs. */
  needs?: string;
  /** Refused while another action is under way. */
  alone?: true;
  /** Refused once the owner has cancelled. */
  notCancelled?: true;
}

const POWERED = ['RUNNING', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN'] as const;

const SERVER_ACTIONS: readonly ActionRow[] = [
  { action: 'start', from: ['STOPPED'], needs: 'stopped', alone: true },
  { action: 'reboot', from: ['RUNNING'], needs: 'running', alone: true },
  { action: 'stop', from: ['RUNNING'], needs: 'running', alone: true },
  // The way out of every power state that hangs.
  { action: 'force_stop', from: POWERED, needs: 'powered on' },
  { action: 'reset_password', from: ['RUNNING'], needs: 'running', alone: true },
  // Spec, States: only when not Building, Suspended or cancellation scheduled.
  { action: 'upgrade', kind: 'VPS', notCancelled: true, alone: true },
  { action: 'reinstall', kind: 'DEDICATED', alone: true },
  { action: 'cancel', notCancelled: true },
];

/** Why nothing can be asked in a status; ACTIVE is the one without a reason. */
const STATUS_REASONS: Record<Exclude<ServerStatus, 'ACTIVE'>, string> = {
  BUILDING: 'The server is still being built.',
  PROVISIONING: 'The server is still being provisioned.',
  REINSTALLING: 'The operating system is being reinstalled.',
  SUSPENDED: 'The server is suspended: pay the open invoice first.',
  REMOVED: 'The server has been removed.',
  DECOMMISSIONED: 'The server has been decommissioned.',
};

/** Spec, States: cancelling is possible at any time of a running subscription. */
const CANCELLABLE: readonly ServerStatus[] = ['ACTIVE', 'REINSTALLING', 'SUSPENDED'];

export interface ActionVerdict {
  action: ServerAction;
  allowed: boolean;
  /** Why not; null when allowed. */
  reason: string | null;
}

/** Every action of this kind of server with its verdict now. */
export const availableActions = (facts: ServerFacts): ActionVerdict[] =>
  SERVER_ACTIONS.filter(({ kind }) => kind === undefined || kind === facts.kind).map((row) => {
    const reason = reasonAgainst(row, facts);
    return { action: row.action, allowed: reason === null, reason };
  });

/** Throws `action_not_allowed` with the reason. */
export function mustAllow(action: ServerAction, facts: ServerFacts): void {
  const verdict = availableActions(facts).find((row) => row.action === action);
  if (!verdict?.allowed) throw fail('action_not_allowed', { reason: verdict?.reason ?? 'This kind of server does not have this action.' });
}

function reasonAgainst(
  { action, from, needs, notCancelled, alone }: ActionRow,
  { status, powerState, cancelAtPeriodEnd, busy }: ServerFacts,
): string | null {
  if (status !== 'ACTIVE' && !(action === 'cancel' && CANCELLABLE.includes(status))) return STATUS_REASONS[status];
  if (notCancelled && cancelAtPeriodEnd) return 'The server is cancelled to the end of its period.';
  if (from && !from.includes(powerState)) return `The server must be ${needs}; it is ${powerState.toLowerCase()}.`;
  if (alone && busy) return 'Another action of this server is still under way.';
  return null;
}
