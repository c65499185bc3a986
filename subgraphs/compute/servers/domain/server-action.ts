// What an owner may ask of a server, and when. One table for the guard, the disabled buttons and their reasons.
// Spec is silent: the power axis and its rules follow Hetzner Cloud's server actions.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { fail } from '#platform/errors.ts';
import type { ServerStatus } from './server-lifecycle.ts';

export const POWER_STATES = ['RUNNING', 'STOPPED', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN'] as const;
export type PowerState = (typeof POWER_STATES)[number];

export type ServerAction =
  | 'start'
  | 'reboot'
  | 'stop'
  | 'force_stop'
  | 'reset_password'
  | 'open_console'
  | 'upgrade'
  | 'add_ipv4'
  | 'enable_backups'
  | 'take_backup'
  | 'restore'
  | 'reinstall'
  | 'rescue'
  | 'leave_rescue'
  | 'set_reverse_name'
  | 'set_firewall'
  | 'cancel';

/** The facts that decide. */
export interface ServerFacts {
  kind: 'VPS' | 'DEDICATED';
  status: ServerStatus;
  powerState: PowerState;
  cancelAtPeriodEnd: boolean;
  /** Another action of this server is still under way. */
  busy?: boolean;
  /** It is one whose half would leave a broken machine. */
  whole?: boolean;
  /** Weekly backups are bought. */
  backups?: boolean;
  /** Its rescue system runs. */
  inRescue?: boolean;
  /** Nothing can be asked of its machine from afar. */
  byHand?: boolean;
  /** Nothing of ours keeps firewall rules for it. */
  unguarded?: boolean;
  /** Its owner has protected it against mistakes. */
  protected?: boolean;
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
  /** Refused with or without weekly backups. */
  backups?: boolean;
  /** Wipes what is on it: refused while it is protected. */
  wipes?: true;
  /** Asks something of the machine itself. */
  machine?: true;
  /** Refused with or without the rescue system running. */
  inRescue?: boolean;
  /** Asks something of whatever keeps its firewall rules. */
  guard?: true;
  /** Refused once the owner has cancelled. */
  notCancelled?: true;
}

const POWERED = ['RUNNING', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN'] as const;

const SERVER_ACTIONS: readonly ActionRow[] = [
  { action: 'start', from: ['STOPPED'], needs: 'stopped', alone: true, machine: true },
  { action: 'reboot', from: ['RUNNING'], needs: 'running', alone: true, machine: true },
  { action: 'stop', from: ['RUNNING'], needs: 'running', alone: true, machine: true },
  // The way out of every power state that hangs.
  { action: 'force_stop', from: POWERED, needs: 'powered on', machine: true },
  { action: 'reset_password', from: ['RUNNING'], needs: 'running', alone: true, machine: true, inRescue: false },
  { action: 'open_console', from: ['RUNNING', 'STARTING', 'STOPPING', 'RESTARTING'], needs: 'powered on', machine: true },
  // Spec, States: only when not Building, Suspended or cancellation scheduled.
  { action: 'upgrade', kind: 'VPS', notCancelled: true, alone: true },
  { action: 'add_ipv4', kind: 'VPS', notCancelled: true, alone: true },
  { action: 'enable_backups', kind: 'VPS', notCancelled: true, backups: false },
  { action: 'take_backup', kind: 'VPS', backups: true, alone: true },
  { action: 'restore', kind: 'VPS', alone: true, wipes: true, inRescue: false },
  { action: 'reinstall', kind: 'DEDICATED', alone: true, wipes: true },
  { action: 'rescue', alone: true, machine: true, inRescue: false },
  { action: 'leave_rescue', alone: true, machine: true, inRescue: true },
  { action: 'set_reverse_name' },
  { action: 'set_firewall', guard: true },
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

/** Every action of this kind of server with its verdict now. */
export const availableActions = (facts: ServerFacts): ActionVerdict<ServerAction>[] =>
  SERVER_ACTIONS.filter(({ kind }) => kind === undefined || kind === facts.kind).map((row) =>
    verdictOf(row.action, reasonAgainst(row, facts)),
  );

/** Throws `action_not_allowed` with the reason. */
export function mustAllow(action: ServerAction, facts: ServerFacts): void {
  const verdict = availableActions(facts).find((row) => row.action === action);
  if (!verdict?.allowed) throw fail('action_not_allowed', { reason: verdict?.reason ?? 'This kind of server does not have this action.' });
}

function reasonAgainst(row: ActionRow, facts: ServerFacts): string | null {
  const { action, from, needs, notCancelled, alone, backups, wipes } = row;
  const { status, powerState, cancelAtPeriodEnd, busy } = facts;
  if (status !== 'ACTIVE' && !(action === 'cancel' && CANCELLABLE.includes(status))) return STATUS_REASONS[status];
  if (notCancelled && cancelAtPeriodEnd) return 'The server is cancelled to the end of its period.';
  if (from && !from.includes(powerState)) return `The server must be ${needs}; it is ${powerState.toLowerCase()}.`;
  if (backups !== undefined && backups !== (facts.backups ?? false))
    return backups ? 'Weekly backups are not bought for this server.' : 'Weekly backups are bought already.';
  if (row.guard && facts.unguarded) return 'There is no firewall of ours in front of this server: set rules in its operating system.';
  if (row.machine && facts.byHand) return 'This machine is worked by hand: write to support.';
  if (row.inRescue !== undefined && row.inRescue !== (facts.inRescue ?? false))
    return row.inRescue ? 'The rescue system does not run.' : 'The rescue system runs: leave it first.';
  if (wipes && facts.protected) return 'The server is protected: lift its protection first.';
  if (action === 'force_stop' && facts.whole) return 'What is under way must come to its end: half of it would leave a broken machine.';
  if (alone && busy) return 'Another action of this server is still under way.';
  return null;
}
