// Long actions and their steps, as tables. Every step is short and safe to repeat; a step that takes too long is given up.
import { MINUTE, SECOND } from '#shared/clock.ts';

export const OPERATION_STATUSES = ['RUNNING', 'SUCCESS', 'ERROR'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export const STEPS = {
  RESERVE: { progress: 5, withinMs: 10 * MINUTE },
  PLACE: { progress: 10, withinMs: 5 * MINUTE },
  CLONE: { progress: 15, withinMs: 8 * MINUTE },
  CONFIGURE: { progress: 50, withinMs: 4 * MINUTE },
  RESIZE: { progress: 60, withinMs: 4 * MINUTE },
  POWER_ON: { progress: 70, withinMs: 4 * MINUTE },
  REACH: { progress: 85, withinMs: 5 * MINUTE },
  /** Removes a machine that did not come out well, before another is made. */
  CLEAR: { progress: 10, withinMs: 10 * MINUTE },
  REMOVE: { progress: 30, withinMs: null },
  SHUT_DOWN: { progress: 30, withinMs: null },
  RESTART: { progress: 30, withinMs: null },
  POWER_OFF: { progress: 50, withinMs: null },
  SET_PASSWORD: { progress: 50, withinMs: null },
} as const satisfies Record<string, { progress: number; withinMs: number | null }>;
export type Step = keyof typeof STEPS;

/** What each begins with, and how long it may take as a whole; null: until it is done. */
export const COMMANDS = {
  // Spec, States: usually 1 to 2 minutes; stuck builds are recovered automatically. Spec is silent: what is not there after half an hour is paid back.
  BUILD: { first: 'RESERVE', withinMs: 30 * MINUTE },
  RELEASE: { first: 'REMOVE', withinMs: null },
  START: { first: 'POWER_ON', withinMs: 5 * MINUTE },
  REBOOT: { first: 'RESTART', withinMs: 5 * MINUTE },
  // A guest that does not react is left running, and the operation failed.
  STOP: { first: 'SHUT_DOWN', withinMs: 3 * MINUTE },
  FORCE_STOP: { first: 'POWER_OFF', withinMs: 5 * MINUTE },
  RESET_PASSWORD: { first: 'SET_PASSWORD', withinMs: 2 * MINUTE },
} as const satisfies Record<string, { first: Step; withinMs: number | null }>;
export type Command = keyof typeof COMMANDS;
export const COMMAND_CODES = Object.keys(COMMANDS) as [Command, ...Command[]];

/** How often a build begins again with a fresh machine. */
export const REBUILDS_MAX = 2;

/** Somebody who has an operation in hand for longer has died. Above the longest answer of the hypervisor times the calls of a step. */
export const LEASE_MS = 60 * SECOND;

/** Before the next look at a step that goes on, and after `tries` troubles in a row. */
export const LOOK_MS = 2 * SECOND;
export const troubleMs = (tries: number): number => Math.min(LOOK_MS * 2 ** Math.min(tries, 10), 30 * SECOND);
