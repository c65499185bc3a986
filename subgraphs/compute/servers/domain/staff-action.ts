// What staff may do with a server, and when: one table for the guard, and for the desk's disabled buttons and their reasons.
import { type ActionVerdict, verdictOf } from '#platform/action-verdict.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { type ServerFacts, STATUS_REASONS, availableActions } from './server-action.ts';
import type { ServerStatus } from './server-lifecycle.ts';

export type StaffAction = 'suspend' | 'restore' | 'delete' | 'rebuild' | 'move' | 'change_address';

/** Besides those of the owner's actions. */
export interface StaffFacts extends ServerFacts {
  /** Staff have suspended it. */
  haltedByStaff: boolean;
}

interface StaffRow {
  action: StaffAction;
  /** The statuses in which it is allowed. */
  in: readonly ServerStatus[];
  /** It is done to the machine at the hypervisor: only a VPS has one, no other operation may run, and no rescue medium may lie in its drive. */
  machine?: true;
  halted?: boolean;
  /** Its owner may do the same, and under the same conditions. */
  asOwner?: 'reinstall';
}

const DELIVERED: readonly ServerStatus[] = ['ACTIVE', 'REINSTALLING', 'SUSPENDED'];

const STAFF_ACTIONS: readonly StaffRow[] = [
  { action: 'suspend', in: DELIVERED, halted: false },
  { action: 'restore', in: DELIVERED, halted: true },
  { action: 'delete', in: DELIVERED },
  { action: 'rebuild', in: ['ACTIVE'], asOwner: 'reinstall' },
  { action: 'move', in: ['ACTIVE', 'SUSPENDED'], machine: true },
  { action: 'change_address', in: ['ACTIVE'], machine: true },
];

/** Every action, and whether it is allowed now. */
export const staffActions = (facts: StaffFacts): ActionVerdict<StaffAction>[] =>
  STAFF_ACTIONS.map((row) => verdictOf(row.action, reasonAgainst(row, facts)));

/** Throws `action_not_allowed` with the reason, if the action is refused. */
export function mustAllowStaff(action: StaffAction, facts: StaffFacts): void {
  const verdict = staffActions(facts).find((row) => row.action === action);
  if (verdict?.reason) throw fail('action_not_allowed', { reason: verdict.reason });
}

function reasonAgainst({ in: statuses, machine, halted, asOwner }: StaffRow, facts: StaffFacts): Reason | undefined {
  const { status } = facts;
  if (status !== 'ACTIVE' && !statuses.includes(status)) return STATUS_REASONS[status];
  if (halted !== undefined && halted !== facts.haltedByStaff)
    return halted ? because('server_not_halted') : because('server_halted_already');
  if (asOwner) return availableActions(facts).find(({ action }) => action === asOwner)?.reason ?? undefined;
  if (!machine) return undefined;
  if (facts.kind !== 'VPS') return because('action_of_other_kind');
  if (facts.inRescue) return because('rescue_running');
  return facts.busy ? because('server_busy') : undefined;
}
