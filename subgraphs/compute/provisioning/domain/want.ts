// What a server lacks, compared with what its owner has bought or lost. Since it is found by comparing, nothing is forgotten after an interruption.
import type { Command, ServerKind } from '../../operations/domain/operation.ts';
import type { PowerState } from '../../servers/domain/server-action.ts';

export interface WantFacts {
  status: string;
  powerState: string;
  planCode: string;
  machinePlanCode: string | null;
  /** How many addresses it should have, and has. */
  addressesWanted: number;
  addressesHeld: number;
  /** Whether a machine at the hypervisor, or what is left of one, is known. */
  hasMachine: boolean;
  runWhenResumed: boolean;
  accountSuspended: boolean;
  backups: boolean;
  nextBackupAt: Date | null;
  /** A backup whose time is over exists. */
  hasExpiredBackup: boolean;
}

export interface Want {
  command: Command;
  when(facts: WantFacts, now: Date): boolean;
  /** The power state while the command runs; a machine that is off stays STOPPED while it is changed. */
  meanwhile?: PowerState;
}

const isActive = ({ status, hasMachine, accountSuspended }: WantFacts) => status === 'ACTIVE' && hasMachine && !accountSuspended;
/** Its renewal is not paid, or its account is suspended: it must be off. */
const isHalted = ({ status, accountSuspended }: WantFacts) => status === 'SUSPENDED' || (status === 'ACTIVE' && accountSuspended);

/** The first want that applies is done first. */
const WANTS: Record<ServerKind, readonly Want[]> = {
  VPS: [
    { command: 'RELEASE', when: ({ status, hasMachine, addressesHeld }) => status === 'REMOVED' && (hasMachine || addressesHeld > 0) },
    {
      command: 'SUSPEND',
      when: (facts) => isHalted(facts) && facts.hasMachine && facts.powerState !== 'STOPPED',
      meanwhile: 'STOPPING',
    },
    { command: 'UPGRADE', when: (facts) => isActive(facts) && facts.machinePlanCode !== facts.planCode, meanwhile: 'RESTARTING' },
    {
      command: 'ADD_ADDRESSES',
      when: (facts) => isActive(facts) && facts.addressesHeld < facts.addressesWanted,
      meanwhile: 'RESTARTING',
    },
    {
      command: 'RESUME',
      when: (facts) => isActive(facts) && facts.runWhenResumed && facts.powerState === 'STOPPED',
      meanwhile: 'STARTING',
    },
    {
      command: 'BACKUP',
      when: (facts, now) => isActive(facts) && facts.backups && facts.nextBackupAt !== null && facts.nextBackupAt <= now,
    },
    { command: 'PRUNE_BACKUPS', when: ({ hasMachine, hasExpiredBackup }) => hasMachine && hasExpiredBackup },
  ],
  DEDICATED: [
    { command: 'DECOMMISSION', when: ({ status, addressesHeld }) => status === 'DECOMMISSIONED' && addressesHeld > 0 },
    { command: 'SUSPEND', when: (facts) => isHalted(facts) && facts.powerState !== 'STOPPED', meanwhile: 'STOPPING' },
    {
      command: 'START',
      when: ({ status, runWhenResumed, accountSuspended }) => status === 'ACTIVE' && runWhenResumed && !accountSuspended,
      meanwhile: 'STARTING',
    },
  ],
};

/** What must be done next; undefined: nothing is lacking. */
export const nextWant = (kind: ServerKind, facts: WantFacts, now: Date): Want | undefined =>
  WANTS[kind].find(({ when }) => when(facts, now));
