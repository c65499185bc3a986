// What a VPS still lacks of what its owner has bought or lost: found by comparing, so that nothing is forgotten however it was interrupted.
import type { VpsCommand } from '../../operations/domain/vps-operation.ts';

export interface VpsFacts {
  status: string;
  powerState: string;
  planCode: string;
  machinePlanCode: string | null;
  /** Addresses that it is to have and has. */
  addressesWanted: number;
  addressesHeld: number;
  /** Whether a machine or its remains are known. */
  hasMachine: boolean;
  runWhenResumed: boolean;
  backups: boolean;
  nextBackupAt: Date | null;
  /** A backup that is to go by its time. */
  hasExpiredBackup: boolean;
}

interface Want {
  command: VpsCommand;
  when(facts: VpsFacts, now: Date): boolean;
}

const isActive = ({ status, hasMachine }: VpsFacts) => status === 'ACTIVE' && hasMachine;

/** The first that applies is done first. */
const WANTS: readonly Want[] = [
  { command: 'RELEASE', when: ({ status, hasMachine, addressesHeld }) => status === 'REMOVED' && (hasMachine || addressesHeld > 0) },
  { command: 'SUSPEND', when: ({ status, hasMachine, powerState }) => status === 'SUSPENDED' && hasMachine && powerState !== 'STOPPED' },
  { command: 'UPGRADE', when: (facts) => isActive(facts) && facts.machinePlanCode !== facts.planCode },
  { command: 'ADD_ADDRESSES', when: (facts) => isActive(facts) && facts.addressesHeld < facts.addressesWanted },
  { command: 'RESUME', when: (facts) => isActive(facts) && facts.runWhenResumed && facts.powerState === 'STOPPED' },
  {
    command: 'BACKUP',
    when: (facts, now) => isActive(facts) && facts.backups && facts.nextBackupAt !== null && facts.nextBackupAt <= now,
  },
  { command: 'PRUNE_BACKUPS', when: ({ hasMachine, hasExpiredBackup }) => hasMachine && hasExpiredBackup },
];

/** What is to be done next; undefined: it has all that it should. */
export const nextWant = (facts: VpsFacts, now: Date): VpsCommand | undefined => WANTS.find(({ when }) => when(facts, now))?.command;
