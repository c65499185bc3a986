// Operations and their steps, as tables. Every step is short and can be repeated; a step that takes too long is given up.
import { SECOND } from '#platform/clock.ts';
import { DEDICATED_COMMANDS, DEDICATED_STEPS, type DedicatedStep } from './dedicated-operation.ts';
import { VPS_COMMANDS, VPS_STEPS, type VpsCommand, type VpsStep } from './vps-operation.ts';

export const OPERATION_STATUSES = ['RUNNING', 'SUCCESS', 'ERROR'] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

export type Step = VpsStep | DedicatedStep;
export const STEP_CODES = [...new Set([...Object.keys(VPS_STEPS), ...Object.keys(DEDICATED_STEPS)])] as [Step, ...Step[]];

export type ServerKind = 'VPS' | 'DEDICATED';
/** The kind of a server, by the prefix of its id. */
export const kindOf = (serverId: string): ServerKind => (serverId.startsWith('ded_') ? 'DEDICATED' : 'VPS');

/** What an operation knows of its server. */
export interface ServerRef {
  id: string;
  accountId: string;
  kind: ServerKind;
}

interface StepTerms {
  /** 0 to 100. */
  progress: number;
  /** Null: without a limit. */
  withinMs: number | null;
}
const STEPS: Record<ServerKind, Partial<Record<Step, StepTerms>>> = { VPS: VPS_STEPS, DEDICATED: DEDICATED_STEPS };
export const stepTerms = (serverId: string, step: Step): StepTerms => STEPS[kindOf(serverId)][step] ?? { progress: 0, withinMs: null };

interface CommandTerms {
  first: Step;
  withinMs: number | null;
}

export type Command = VpsCommand | keyof typeof DEDICATED_COMMANDS;
export const COMMAND_CODES = [...new Set([...Object.keys(VPS_COMMANDS), ...Object.keys(DEDICATED_COMMANDS)])] as [Command, ...Command[]];

/** The first step of each command, and how long the command may take as a whole; null: without a limit. */
const FIRST_STEPS = Object.fromEntries(
  Object.entries(VPS_COMMANDS).map(([command, { steps, withinMs }]) => [command, { first: steps[0], withinMs }]),
) as Record<VpsCommand, CommandTerms>;

/** The commands of each kind of server. */
const COMMANDS: Record<ServerKind, Partial<Record<Command, CommandTerms>>> = { VPS: FIRST_STEPS, DEDICATED: DEDICATED_COMMANDS };
export function commandTerms(serverId: string, command: Command): CommandTerms {
  const terms = COMMANDS[kindOf(serverId)][command];
  if (!terms) throw new Error(`${serverId} knows no ${command}`);
  return terms;
}

/** A process that has claimed an operation for longer than this is taken for dead. It is more than the hypervisor's longest answer times the calls of a step. */
export const LEASE_MS = 60 * SECOND;

/** The time until a waiting step is run again, and the time after `tries` failures in a row. */
export const LOOK_MS = 2 * SECOND;
export const troubleMs = (tries: number): number => Math.min(LOOK_MS * 2 ** Math.min(tries, 10), 30 * SECOND);
