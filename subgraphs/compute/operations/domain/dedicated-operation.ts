// The operations of dedicated servers, as tables. All work on the disks is done by a medium that the machine boots once: an installer, or the service system
// with a task. When a medium has finished, it switches the machine off; that is how its end is recognised.
import { HOUR, MINUTE } from '#platform/clock.ts';

export const DEDICATED_STEPS = {
  /** Takes a free machine of the plan. */
  ASSIGN: { progress: 3, withinMs: 24 * HOUR },
  /** A person at the datacenter does the work by hand. */
  HAND_OVER: { progress: 10, withinMs: null },
  /** Switches the machine off, so that its next start is from the medium. */
  CUT_POWER: { progress: 5, withinMs: 10 * MINUTE },
  INSERT_MEDIA: { progress: 10, withinMs: 10 * MINUTE },
  BOOT_MEDIA: { progress: 15, withinMs: 10 * MINUTE },
  /** Waits until the machine switches itself off. */
  RUN_MEDIA: { progress: 20, withinMs: 45 * MINUTE },
  EJECT_MEDIA: { progress: 80, withinMs: 10 * MINUTE },
  POWER_ON: { progress: 85, withinMs: 10 * MINUTE },
  REACH: { progress: 90, withinMs: 15 * MINUTE },
  /** An operating system that does not react is left running; only when the server is to be suspended is its power cut. */
  SHUT_DOWN: { progress: 30, withinMs: 4 * MINUTE },
  RESTART: { progress: 30, withinMs: null },
  POWER_OFF: { progress: 50, withinMs: null },
} as const satisfies Record<string, { progress: number; withinMs: number | null }>;
export type DedicatedStep = keyof typeof DEDICATED_STEPS;

export const DEDICATED_COMMANDS = {
  // Spec, States: usually under a few hours, up to one business day. Spec is silent: an order that is not delivered after three days is paid back.
  PROVISION: { first: 'ASSIGN', withinMs: 72 * HOUR },
  // Spec, States: typically 10 to 20 minutes.
  REINSTALL: { first: 'CUT_POWER', withinMs: 3 * HOUR },
  // The disks are wiped and the machine goes back into stock, however long that takes.
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

/** How often a medium that does not finish is booted again. */
export const MEDIA_TRIES_MAX = 2;
