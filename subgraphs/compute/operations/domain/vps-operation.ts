// The operations of VPS, as tables: the steps of each, and how long a step may take.
import { HOUR, MINUTE } from '#platform/clock.ts';

export const VPS_STEPS = {
  RESERVE: { progress: 5, withinMs: 10 * MINUTE },
  PLACE: { progress: 10, withinMs: 5 * MINUTE },
  CLONE: { progress: 15, withinMs: 8 * MINUTE },
  /** Copies the whole machine to the backup storage. */
  SAVE: { progress: 20, withinMs: null },
  /** Asks the guest to shut down; CUT_OFF follows if it does not. */
  TURN_OFF: { progress: 30, withinMs: 90_000 },
  CUT_OFF: { progress: 35, withinMs: null },
  /** Writes a note at the machine that it is to be replaced: REPLACE is done when the note is gone. */
  MARK: { progress: 35, withinMs: null },
  REPLACE: { progress: 40, withinMs: null },
  /** Sets whether it boots the rescue system or its disk. */
  SET_BOOT: { progress: 40, withinMs: 4 * MINUTE },
  /** Moves the machine, which may run, to another node. */
  MIGRATE: { progress: 30, withinMs: null },
  CONFIGURE: { progress: 50, withinMs: 4 * MINUTE },
  RESIZE: { progress: 60, withinMs: 4 * MINUTE },
  POWER_ON: { progress: 70, withinMs: 4 * MINUTE },
  REACH: { progress: 85, withinMs: 5 * MINUTE },
  /** Sets the password that the owner sees, since the restored disk may have an older one. */
  LET_IN: { progress: 90, withinMs: 3 * MINUTE },
  /** Removes backups beyond those that are kept. */
  PRUNE: { progress: 90, withinMs: null },
  /** Removes a machine that could not be built, before another is made. */
  CLEAR: { progress: 10, withinMs: 10 * MINUTE },
  REMOVE: { progress: 30, withinMs: null },
  /** Removes every backup of a machine that is gone. */
  WIPE: { progress: 70, withinMs: null },
  SHUT_DOWN: { progress: 30, withinMs: null },
  RESTART: { progress: 30, withinMs: null },
  POWER_OFF: { progress: 50, withinMs: null },
  SET_PASSWORD: { progress: 50, withinMs: null },
} as const satisfies Record<string, { progress: number; withinMs: number | null }>;
export type VpsStep = keyof typeof VPS_STEPS;
export type PowerStep = 'SHUT_DOWN' | 'TURN_OFF' | 'CUT_OFF' | 'POWER_OFF' | 'RESTART';
export type MoveStep = 'MIGRATE';
export type BackupStep = 'SAVE' | 'MARK' | 'REPLACE' | 'LET_IN' | 'PRUNE' | 'WIPE';

interface VpsCommandTerms {
  /** Its steps in order. Some may be skipped or repeated. */
  steps: readonly [VpsStep, ...VpsStep[]];
  /** How long it may take as a whole; null: without a limit. */
  withinMs: number | null;
  /** Broken off, it would leave a broken machine: not even a force stop replaces it. */
  whole?: true;
}

export const VPS_COMMANDS = {
  // Spec, States: usually 1 to 2 minutes; stuck builds are recovered automatically. Spec is silent: a build that is not done after half an hour is paid back.
  BUILD: { steps: ['RESERVE', 'PLACE', 'CLONE', 'CONFIGURE', 'RESIZE', 'POWER_ON', 'REACH'], withinMs: 30 * MINUTE, whole: true },
  RELEASE: { steps: ['REMOVE', 'WIPE'], withinMs: null, whole: true },
  START: { steps: ['POWER_ON'], withinMs: 5 * MINUTE },
  REBOOT: { steps: ['RESTART'], withinMs: 5 * MINUTE },
  // If the guest does not react it is left running, and the operation fails.
  STOP: { steps: ['SHUT_DOWN'], withinMs: 3 * MINUTE },
  FORCE_STOP: { steps: ['POWER_OFF'], withinMs: 5 * MINUTE },
  RESET_PASSWORD: { steps: ['SET_PASSWORD'], withinMs: 2 * MINUTE },
  // It is paid for, so it is begun again when it fails.
  UPGRADE: { steps: ['TURN_OFF', 'CONFIGURE', 'RESIZE', 'POWER_ON'], withinMs: 30 * MINUTE, whole: true },
  ADD_ADDRESSES: { steps: ['RESERVE', 'TURN_OFF', 'CONFIGURE', 'POWER_ON'], withinMs: 30 * MINUTE, whole: true },
  // Begun by staff. Its row has the new address already, so it goes on until the machine has it too.
  CHANGE_ADDRESS: { steps: ['TURN_OFF', 'CONFIGURE', 'POWER_ON'], withinMs: null, whole: true },
  // Begun by staff; what is copied when it is broken off is thrown away at the hypervisor.
  MOVE: { steps: ['MIGRATE'], withinMs: 12 * HOUR, whole: true },
  SUSPEND: { steps: ['TURN_OFF'], withinMs: null, whole: true },
  RESUME: { steps: ['POWER_ON'], withinMs: 10 * MINUTE },
  RESCUE: { steps: ['TURN_OFF', 'SET_BOOT', 'POWER_ON'], withinMs: 15 * MINUTE },
  RESCUE_END: { steps: ['TURN_OFF', 'SET_BOOT', 'CONFIGURE', 'POWER_ON'], withinMs: 15 * MINUTE },
  // The old system is gone once this begins, so it continues until the new one is there, on the same node and under the same number, to which its backups belong.
  REINSTALL: {
    steps: ['TURN_OFF', 'REMOVE', 'CLONE', 'CONFIGURE', 'RESIZE', 'POWER_ON', 'REACH'],
    withinMs: null,
    whole: true,
  },
  BACKUP: { steps: ['SAVE', 'PRUNE'], withinMs: 3 * HOUR },
  PRUNE_BACKUPS: { steps: ['PRUNE'], withinMs: 10 * MINUTE },
  RESTORE: { steps: ['SAVE', 'TURN_OFF', 'MARK', 'REPLACE', 'CONFIGURE', 'RESIZE', 'POWER_ON', 'LET_IN'], withinMs: 6 * HOUR, whole: true },
} as const satisfies Record<string, VpsCommandTerms>;
export type VpsCommand = keyof typeof VPS_COMMANDS;

/** The step after this one; undefined: it was the last. */
export function stepAfter(command: VpsCommand, step: VpsStep): VpsStep | undefined {
  const steps: readonly VpsStep[] = VPS_COMMANDS[command].steps;
  const index = steps.indexOf(step);
  return index < 0 ? undefined : steps[index + 1];
}

/** Whether no other operation may replace it while it runs. */
export const isWhole = (command: VpsCommand): boolean => 'whole' in VPS_COMMANDS[command];

/** Whether the command leaves a machine off that was off. */
export const leavesOff = (command: VpsCommand): boolean => ['UPGRADE', 'ADD_ADDRESSES', 'CHANGE_ADDRESS'].includes(command);

/** How often a build begins again with a new machine. */
export const REBUILDS_MAX = 2;
