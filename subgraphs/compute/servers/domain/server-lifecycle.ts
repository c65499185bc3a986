// The states of VPS and dedicated servers. Spec, States: Servers. Power states are separate: servers/domain/server-action.ts.
import { type Lifecycle, next } from '#platform/lifecycle.ts';

export const VPS_STATUSES = ['BUILDING', 'ACTIVE', 'SUSPENDED', 'REMOVED'] as const;
export type VpsStatus = (typeof VPS_STATUSES)[number];

export const DEDICATED_STATUSES = ['PROVISIONING', 'ACTIVE', 'REINSTALLING', 'SUSPENDED', 'DECOMMISSIONED'] as const;
export type DedicatedStatus = (typeof DEDICATED_STATUSES)[number];

export type ServerStatus = VpsStatus | DedicatedStatus;

/**
 * provisioned: the machine answers.
 * refunded: it could not be delivered, and was paid back.
 * reinstall_given_up: the installer did not come to its end; the owner may ask again.
 * retries_exhausted: the last retry of a failed renewal failed.
 * paid: a suspended server was paid within the grace period; grace_over: it was not.
 * period_ended: the owner had cancelled, and the paid period is over; all data is wiped.
 */
export type ServerEvent =
  | 'provisioned'
  | 'refunded'
  | 'upgraded'
  | 'reinstall_started'
  | 'reinstall_completed'
  | 'reinstall_given_up'
  | 'retries_exhausted'
  | 'paid'
  | 'grace_over'
  | 'period_ended';

export const VPS_LIFECYCLE: Lifecycle<VpsStatus, ServerEvent> = [
  { on: 'provisioned', from: ['BUILDING'], to: 'ACTIVE' },
  { on: 'refunded', from: ['BUILDING'], to: 'REMOVED' },
  { on: 'upgraded', from: ['ACTIVE'], to: 'ACTIVE' },
  { on: 'retries_exhausted', from: ['ACTIVE'], to: 'SUSPENDED' },
  { on: 'paid', from: ['SUSPENDED'], to: 'ACTIVE' },
  { on: 'grace_over', from: ['SUSPENDED'], to: 'REMOVED' },
  { on: 'period_ended', from: ['ACTIVE', 'SUSPENDED'], to: 'REMOVED' },
];

export const DEDICATED_LIFECYCLE: Lifecycle<DedicatedStatus, ServerEvent> = [
  { on: 'provisioned', from: ['PROVISIONING'], to: 'ACTIVE' },
  { on: 'refunded', from: ['PROVISIONING'], to: 'DECOMMISSIONED' },
  { on: 'reinstall_started', from: ['ACTIVE'], to: 'REINSTALLING' },
  { on: 'reinstall_completed', from: ['REINSTALLING'], to: 'ACTIVE' },
  { on: 'reinstall_given_up', from: ['REINSTALLING'], to: 'ACTIVE' },
  // Spec is silent: billing does not wait for a reinstall of 10 to 20 minutes; an event that this table ignored would be lost for ever.
  { on: 'retries_exhausted', from: ['ACTIVE', 'REINSTALLING'], to: 'SUSPENDED' },
  { on: 'paid', from: ['SUSPENDED'], to: 'ACTIVE' },
  { on: 'grace_over', from: ['SUSPENDED'], to: 'DECOMMISSIONED' },
  { on: 'period_ended', from: ['ACTIVE', 'REINSTALLING', 'SUSPENDED'], to: 'DECOMMISSIONED' },
];

/** An ended server never comes back. */
export const hasEnded = (status: ServerStatus): boolean => status === 'REMOVED' || status === 'DECOMMISSIONED';

/** What is written of a server that gets this status. */
export const withStatus = (status: ServerStatus, now: Date): { status: ServerStatus; endedAt?: Date } => ({
  status,
  ...(hasEnded(status) && { endedAt: now }),
});

/** The status that an event leads to; undefined: it changes nothing. */
export const statusAfter = (server: { kind: 'VPS' | 'DEDICATED'; status: ServerStatus }, event: ServerEvent): ServerStatus | undefined =>
  server.kind === 'VPS'
    ? next(VPS_LIFECYCLE, server.status as VpsStatus, event)
    : next(DEDICATED_LIFECYCLE, server.status as DedicatedStatus, event);
