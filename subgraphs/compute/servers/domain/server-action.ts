// What an owner may do with a server, and when. This one table is used by the guard, and for the disabled buttons and their reasons. Spec is silent: power
// states and their rules follow Hetzner Cloud's server actions.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import type { TeamPermission } from '#platform/team-permissions.ts';
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

const PAID: readonly ServerAction[] = ['upgrade', 'add_ipv4', 'enable_backups', 'cancel'];

/** What a member of a team needs for an action. */
export const permissionFor = (action: ServerAction): TeamPermission => (PAID.includes(action) ? 'pay' : 'servers');

/** The facts that the rules depend on. */
export interface ServerFacts {
  kind: 'VPS' | 'DEDICATED';
  status: ServerStatus;
  powerState: PowerState;
  cancelAtPeriodEnd: boolean;
  /** Another operation runs on this server. */
  busy?: boolean;
  /** That operation must not be replaced, since it would leave a broken machine. */
  whole?: boolean;
  /** Weekly backups are bought. */
  backups?: boolean;
  /** Its rescue system runs. */
  inRescue?: boolean;
  /** Its machine has no remote management, so it is operated by hand. */
  byHand?: boolean;
  /** No system of ours can enforce firewall rules for it. */
  unguarded?: boolean;
  /** Staff, a suspension of its account or a dispute keep it off. */
  halted?: boolean;
  /** Its owner has protected it against a reinstall or a restore by mistake. */
  protected?: boolean;
}

interface ActionRow {
  action: ServerAction;
  /** Absent: both kinds have it. */
  kind?: ServerFacts['kind'];
  /** Power states in which it is allowed; absent: any. */
  from?: readonly PowerState[];
  /** The reason in any other power state. */
  needs?: 'server_not_stopped' | 'server_not_running' | 'server_not_powered_on';
  /** Refused while another operation runs. */
  alone?: true;
  /** true: needs weekly backups; false: refused with them. */
  backups?: boolean;
  /** Overwrites the disk: refused while the server is protected. */
  wipes?: true;
  /** Needs remote management of the machine. */
  machine?: true;
  /** true: only while the rescue system runs; false: not while it runs. */
  inRescue?: boolean;
  /** Needs a system that enforces firewall rules. */
  guard?: true;
  /** Refused once the owner has cancelled. */
  notCancelled?: true;
}

const POWERED = ['RUNNING', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN'] as const;

const SERVER_ACTIONS: readonly ActionRow[] = [
  { action: 'start', from: ['STOPPED'], needs: 'server_not_stopped', alone: true, machine: true },
  { action: 'reboot', from: ['RUNNING'], needs: 'server_not_running', alone: true, machine: true },
  { action: 'stop', from: ['RUNNING'], needs: 'server_not_running', alone: true, machine: true },
  // It ends every power state that hangs.
  { action: 'force_stop', from: POWERED, needs: 'server_not_powered_on', machine: true },
  { action: 'reset_password', from: ['RUNNING'], needs: 'server_not_running', alone: true, machine: true, inRescue: false },
  { action: 'open_console', from: ['RUNNING', 'STARTING', 'STOPPING', 'RESTARTING'], needs: 'server_not_powered_on', machine: true },
  // Spec, States: only when not Building, Suspended or cancellation scheduled.
  { action: 'upgrade', kind: 'VPS', notCancelled: true, alone: true },
  { action: 'add_ipv4', kind: 'VPS', notCancelled: true, alone: true },
  { action: 'enable_backups', kind: 'VPS', notCancelled: true, backups: false },
  { action: 'take_backup', kind: 'VPS', backups: true, alone: true },
  { action: 'restore', kind: 'VPS', alone: true, wipes: true, inRescue: false },
  { action: 'reinstall', alone: true, wipes: true },
  { action: 'rescue', alone: true, machine: true, inRescue: false },
  { action: 'leave_rescue', alone: true, machine: true, inRescue: true },
  { action: 'set_reverse_name' },
  { action: 'set_firewall', guard: true },
  { action: 'cancel', notCancelled: true },
];

/** The reason why nothing is allowed in a status; ACTIVE has none. */
export const STATUS_REASONS: Record<Exclude<ServerStatus, 'ACTIVE'>, Reason> = {
  BUILDING: because('server_building'),
  PROVISIONING: because('server_provisioning'),
  REINSTALLING: because('server_reinstalling'),
  SUSPENDED: because('server_suspended'),
  REMOVED: because('server_removed'),
  DECOMMISSIONED: because('server_decommissioned'),
};

/** Spec, States: cancelling is possible at any time of a running subscription. */
const CANCELLABLE: readonly ServerStatus[] = ['ACTIVE', 'REINSTALLING', 'SUSPENDED'];

/** Every action of this kind of server, and whether it is allowed now. */
export const availableActions = (facts: ServerFacts): ActionVerdict<ServerAction>[] =>
  SERVER_ACTIONS.filter(({ kind }) => kind === undefined || kind === facts.kind).map((row) =>
    verdictOf(row.action, reasonAgainst(row, facts)),
  );

/** Throws `action_not_allowed` with the reason, if the action is refused. */
export function mustAllow(action: ServerAction, facts: ServerFacts): void {
  const verdict = availableActions(facts).find((row) => row.action === action);
  if (!verdict?.allowed) throw fail('action_not_allowed', { reason: verdict?.reason ?? because('action_of_other_kind') });
}

function reasonAgainst(row: ActionRow, facts: ServerFacts): Reason | undefined {
  const { action, from, needs, notCancelled, alone, backups, wipes } = row;
  const { status, powerState, cancelAtPeriodEnd, busy } = facts;
  if (status !== 'ACTIVE' && !(action === 'cancel' && CANCELLABLE.includes(status))) return STATUS_REASONS[status];
  if (facts.halted && action !== 'cancel') return because('server_halted');
  if (notCancelled && cancelAtPeriodEnd) return because('server_cancelled');
  if (from && needs && !from.includes(powerState)) return because(needs, { state: powerState.toLowerCase() });
  if (backups !== undefined && backups !== (facts.backups ?? false))
    return backups ? because('backups_not_bought') : because('backups_bought');
  if (row.guard && facts.unguarded) return because('firewall_missing');
  if (row.machine && facts.byHand) return because('machine_by_hand');
  if (row.inRescue !== undefined && row.inRescue !== (facts.inRescue ?? false))
    return row.inRescue ? because('rescue_not_running') : because('rescue_running');
  if (wipes && facts.protected) return because('server_protected');
  if (action === 'force_stop' && facts.whole) return because('operation_indivisible');
  if (alone && busy) return because('server_busy');
  return undefined;
}
