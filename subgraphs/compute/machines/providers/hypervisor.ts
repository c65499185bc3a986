// What servers run on, in our words.
import type { NodeFacts } from '../domain/node-facts.ts';
import type { FirewallRule } from '../../networking/domain/firewall.ts';
import type { Finding } from '#platform/vendor-check.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** A machine's place: a node, and its number, which is its own in the whole cluster. */
export interface MachineRef {
  node: string;
  number: number;
}

export interface FoundMachine extends MachineRef {
  name: string;
  /** Undefined: its node does not answer, and nobody knows. */
  running: boolean | undefined;
  cores: number;
  memoryBytes: number;
  diskBytes: number;
}

export interface MachineState {
  running: boolean;
  /** Something works on it, or has left it half-made. */
  busy: boolean;
  /** Null: it has no disk. */
  diskGb: number | null;
  uptimeSeconds: number;
  /** What `note` wrote, or the host name that `configure` wrote. */
  note: string;
}

/** A copy of a machine on the backup storage. */
export interface SavedMachine {
  volume: string;
  sizeBytes: bigint;
  savedAt: Date;
  /** What it was marked with. */
  note: string;
}

/** What flows, in bytes: a second in history, since the machine's start where it is live. */
export interface Flow {
  netInBytes: number;
  netOutBytes: number;
  diskReadBytes: number;
  diskWriteBytes: number;
}

export interface MachineUse extends Flow {
  name: string;
  running: boolean;
  /** Of all its processors, 0 to 1. */
  cpu: number;
  memoryBytes: number;
  memoryTotalBytes: number;
}

export interface UsePoint extends Flow {
  at: Date;
  cpu: number;
  memoryBytes: number;
}

export const USE_SPANS = ['HOUR', 'DAY', 'WEEK'] as const;
export type UseSpan = (typeof USE_SPANS)[number];

/** Where a console waits for one WebSocket; the password is that of its own protocol, where it has one. */
export interface ConsoleLine {
  url: string;
  /** Of the header that it is called. */
  authorization: string;
  /** Signed in as a user, who shows a ticket as a cookie. */
  cookie?: string;
  /** Certificates of the authorities that sign its own, as PEM; absent: those of every browser. */
  authorities?: string;
  user: string;
  ticket: string;
  password: string | null;
  /** Bytes as they are: nothing is to be said first, and a size means nothing. */
  raw?: boolean;
}

export interface MachineSettings {
  cores: number;
  ramGb: number;
  hostname: string;
  loginName: string;
  password: string;
  sshKeys: readonly string[];
  /** With the bits of their network: one interface each. */
  addresses: readonly { ip: string; bits: number; gateway: string }[];
  /** For cloud-init; null: none. */
  userData: string | null;
  /** What its first boot is told by: the same for the life of the server. */
  instance: string;
  /** Windows does not. */
  takesMetaData: boolean;
}

/** Work that takes time: `unknown` when the hypervisor has forgotten it. */
export interface Work {
  state: 'running' | 'done' | 'failed' | 'unknown';
  /** Why it failed, in the hypervisor's words. */
  reason: string | null;
}

/** All may throw HypervisorTrouble, after which nobody knows whether it happened: look, then ask again. What returns a string started work of that id. */
export interface Hypervisor {
  nodes(): Promise<NodeFacts[]>;
  /** Numbers of every machine and template, and of every copy on the backup storage, whose next machine of that number would seem to be its. */
  takenNumbers(): Promise<Set<number>>;
  /** Every machine of the cluster, also those on nodes that do not answer; templates left out. */
  machines(): Promise<FoundMachine[]>;
  clone(ref: MachineRef, image: string, name: string): Promise<string>;
  inspect(ref: MachineRef): Promise<MachineState>;
  configure(ref: MachineRef, settings: MachineSettings): Promise<void>;
  /** Whether it has what `configure` sets, as far as it can be read back. */
  isConfigured(ref: MachineRef, settings: MachineSettings): Promise<boolean>;
  /** Takes away what only its first boot needed: what its owner gave for that may hold secrets. */
  tidy(ref: MachineRef): Promise<void>;
  /** Keeps the machine to its own hardware address and these addresses, whatever its guest sends. */
  guard(ref: MachineRef, addresses: readonly string[]): Promise<void>;
  isGuarded(ref: MachineRef, addresses: readonly string[]): Promise<boolean>;
  /** Whether rules filter at all: the whole datacenter has a switch of its own. */
  filters(): Promise<boolean>;
  /** Whether it starts when its node does. */
  setStartsByItself(ref: MachineRef, starts: boolean): Promise<void>;
  resize(ref: MachineRef, gigabytes: number): Promise<string>;
  start(ref: MachineRef): Promise<string>;
  /** Asks the guest to end. */
  shutdown(ref: MachineRef): Promise<string>;
  reboot(ref: MachineRef): Promise<string>;
  /** Cuts the power, also while its guest is asked to end. */
  stop(ref: MachineRef): Promise<string>;
  /** Breaks off copies of it that we have begun, which keep its power from being cut. */
  breakOffSaving(ref: MachineRef): Promise<void>;
  /** Whether it is set to start from the rescue system. */
  bootsRescue(ref: MachineRef): Promise<boolean>;
  /** From its next start on: the rescue system with this one log-in; null: its disk. */
  setBoot(ref: MachineRef, rescue: { loginName: string; password: string } | null): Promise<void>;
  /** Makes the machine's firewall what is given: what comes in and fits no rule is dropped, once it is enabled. */
  setFirewall(ref: MachineRef, firewall: { enabled: boolean; rules: readonly FirewallRule[] }): Promise<void>;
  setPassword(ref: MachineRef, loginName: string, password: string): Promise<void>;
  remove(ref: MachineRef): Promise<string>;
  note(ref: MachineRef, text: string): Promise<void>;
  /** Copies it to the backup storage, as it runs. */
  save(ref: MachineRef, note: string): Promise<string>;
  /** Every copy of it on the backup storage, also when the machine is gone. */
  saved(ref: MachineRef): Promise<SavedMachine[]>;
  /** Makes the machine, which is off, what the copy is, its note and settings too. */
  replace(ref: MachineRef, volume: string): Promise<string>;
  dropSaved(ref: MachineRef, volume: string): Promise<void>;
  /** Every machine's use now, in one call. */
  use(): Promise<MachineUse[]>;
  history(ref: MachineRef, span: UseSpan): Promise<UsePoint[]>;
  /** Opens a console of a running machine; it waits ten seconds for its WebSocket. */
  openConsole(ref: MachineRef, kind: 'TEXT' | 'GRAPHIC'): Promise<ConsoleLine>;
  work(id: string): Promise<Work>;
  /** Whether it is set up for us to make servers of these images on it. Throws what keeps it from being asked. */
  check(images: readonly string[]): Promise<Finding[]>;
}

/** The hypervisor did not answer, or said no. */
export class HypervisorTrouble extends VendorTrouble {}
