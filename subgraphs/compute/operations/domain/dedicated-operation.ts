// Long actions of dedicated servers, as tables. Everything that happens to the disks happens by a medium that the machine boots once: an installer, or the
// service system with a task. A medium that has done its work switches the machine off; that is how its end is seen.
import { HOUR, MINUTE } from '#platform/clock.ts';

export const DEDICATED_STEPS = {
  /** Takes a free machine of the plan from the inventory. */
  ASSIGN: { progress: 3, withinMs: 24 * HOUR },
  /** Somebody at the datacenter makes it ready by hand. */
  HAND_OVER: { progress: 10, withinMs: null },
  /** The machine is off, so that the next start is the medium's. */
  CUT_POWER: { progress: 5, withinMs: 10 * MINUTE },
  INSERT_MEDIA: { progress: 10, withinMs: 10 * MINUTE },
  BOOT_MEDIA: { progress: 15, withinMs: 10 * MINUTE },
  /** Until it switches itself off. */
  RUN_MEDIA: { progress: 20, withinMs: 45 * MINUTE },
  EJECT_MEDIA: { progress: 80, withinMs: 10 * MINUTE },
  POWER_ON: { progress: 85, withinMs: 10 * MINUTE },
  REACH: { progress: 90, withinMs: 15 * MINUTE },
  /** An operating system that does not react is left running; for an unpaid server the power is cut. */
  SHUT_DOWN: { progress: 30, withinMs: 4 * MINUTE },
  RESTART: { progress: 30, withinMs: null },
  POWER_OFF: { progress: 50, withinMs: null },
} as const satisfies Record<string, { progress: number; withinMs: number | null }>;
export type DedicatedStep = keyof typeof DEDICATED_STEPS;

export const DEDICATED_COMMANDS = {
  // Spec, States: usually under a few hours, up to one business day. Spec is silent: what has not come after three days is paid back.
  PROVISION: { first: 'ASSIGN', withinMs: 72 * HOUR },
  // Spec, States: typically 10 to 20 minutes.
  REINSTALL: { first: 'CUT_POWER', withinMs: 3 * HOUR },
  // Data is wiped and the machine goes back into stock, however long that takes.
  DECOMMISSION: { first: 'CUT_POWER', withinMs: null },
  START: { first: 'POWER_ON', withinMs: 10 * MINUTE },
  REBOOT: { first: 'RESTART', withinMs: 10 * MINUTE },
  STOP: { first: 'SHUT_DOWN', withinMs: 5 * MINUTE },
  SUSPEND: { first: 'SHUT_DOWN', withinMs: null },
  FORCE_STOP: { first: 'POWER_OFF', withinMs: 10 * MINUTE },
  RESET_PASSWORD: { first: 'CUT_POWER', withinMs: HOUR },
  RESCUE: { first: 'CUT_POWER', withinMs: HOUR },
  RESCUE_END: { first: 'CUT_POWER', withinMs: HOUR },
} as const satisfies Record<string, { first: DedicatedStep; withinMs: number | null }>;

/** How often a medium that does not come to its end is booted again. */
export const MEDIA_TRIES_MAX = 2;
