// Our interface to the hypervisor on which VPS run.
import type { NodeFacts } from '../domain/node-facts.ts';
import type { FirewallRule } from '../../networking/domain/firewall.ts';
import type { Finding } from '#platform/vendor-check.ts';
import type { TemplateMaker } from './template-maker.ts';
import { VendorTrouble } from '../../operations/providers/vendor-trouble.ts';

/** The node of a machine, and its number, which is unique in the whole cluster. */
export interface MachineRef {
  node: string;
  number: number;
}

export interface FoundMachine extends MachineRef {
  name: string;
  /** Undefined: unknown, since the node does not answer. */
  running: boolean | undefined;
  cores: number;
  memoryBytes: number;
  diskBytes: number;
}

export interface MachineState {
  running: boolean;
  /** The machine is locked: by work that runs, or by work that broke off. */
  busy: boolean;
  /** Null: it has no disk. */
  diskGb: number | null;
  uptimeSeconds: number;
  /** The text that `note` wrote, or the host name that `configure` wrote. */
  note: string;
}

/** A copy of a machine on the backup storage. */
export interface SavedMachine {
  volume: string;
  sizeBytes: bigint;
  savedAt: Date;
  /** The note that was given when it was made. */
  note: string;
}

/** Bytes transferred: per second in history; since the machine's start in live figures. */
export interface Flow {
  netInBytes: number;
  netOutBytes: number;
  diskReadBytes: number;
  diskWriteBytes: number;
}

export interface MachineUse extends Flow {
  name: string;
  running: boolean;
  /** The share of all its processors, 0 to 1. */
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

/** A console that waits for one WebSocket; the password is that of its own protocol, if it has one. */
export interface ConsoleLine {
  url: string;
  /** The value of the header of that name. */
  authorization: string;
  /** The cookie of a signed-in user, sent instead of `authorization`. */
  cookie?: string;
  /** Certificates of the authorities that sign its certificate, as PEM; absent: the usual public ones. */
  authorities?: string;
  user: string;
  ticket: string;
  password: string | null;
  /** Raw bytes: nothing is sent first, and the size of the window has no meaning. */
  raw?: boolean;
}

export interface MachineSettings {
  cores: number;
  ramGb: number;
  hostname: string;
  loginName: string;
  password: string;
  sshKeys: readonly string[];
  /** With the prefix length of their network; each gets an interface of its own. */
  addresses: readonly { ip: string; bits: number; gateway: string }[];
  /** User data for cloud-init; null: none. */
  userData: string | null;
  /** The instance id, by which cloud-init recognises the first boot: the same for the life of the server. */
  instance: string;
  /** False on Windows. */
  takesMetaData: boolean;
}

/** An asynchronous task: `unknown` when the hypervisor has forgotten it. */
export interface Work {
  state: 'running' | 'done' | 'failed' | 'unknown';
  /** Why it failed, in the hypervisor's words. */
  reason: string | null;
}

/** Every method may throw HypervisorTrouble. It is then unknown whether the action happened: inspect, then try again. Methods that return a string have started a task with that id. */
export interface Hypervisor extends TemplateMaker {
  nodes(): Promise<NodeFacts[]>;
  /** Numbers that must not be used: of every machine and template, and of every copy on the backup storage, which would seem to belong to a new machine of that number. */
  takenNumbers(): Promise<Set<number>>;
  /** Every machine of the cluster, also on nodes that do not answer, without templates. */
  machines(): Promise<FoundMachine[]>;
  clone(ref: MachineRef, image: string, name: string): Promise<string>;
  inspect(ref: MachineRef): Promise<MachineState>;
  configure(ref: MachineRef, settings: MachineSettings): Promise<void>;
  /** Whether the machine has what `configure` sets, as far as that can be read back. */
  isConfigured(ref: MachineRef, settings: MachineSettings): Promise<boolean>;
  /** Removes files that only the first boot needed: the owner's user data may contain secrets. */
  tidy(ref: MachineRef): Promise<void>;
  /** Restricts the machine to its own hardware address and these IP addresses, whatever its guest sends. */
  guard(ref: MachineRef, addresses: readonly string[]): Promise<void>;
  isGuarded(ref: MachineRef, addresses: readonly string[]): Promise<boolean>;
  /** Whether firewall rules have any effect: the datacenter has a switch for all of them. */
  filters(): Promise<boolean>;
  /** Sets whether the machine starts when its node does. */
  setStartsByItself(ref: MachineRef, starts: boolean): Promise<void>;
  /** Moves the machine to another node, with its disks; while it runs, without stopping it. */
  migrate(ref: MachineRef, target: string): Promise<string>;
  resize(ref: MachineRef, gigabytes: number): Promise<string>;
  start(ref: MachineRef): Promise<string>;
  /** Asks the guest to shut down. */
  shutdown(ref: MachineRef): Promise<string>;
  reboot(ref: MachineRef): Promise<string>;
  /** Cuts the power, even while the guest is shutting down. */
  stop(ref: MachineRef): Promise<string>;
  /** Aborts copies of the machine that we have begun, since its power cannot be cut while they run. */
  breakOffSaving(ref: MachineRef): Promise<void>;
  /** Whether the machine is set to boot the rescue system. */
  bootsRescue(ref: MachineRef): Promise<boolean>;
  /** Sets what the machine boots from its next start on: the rescue system with this one log-in; null: its disk. */
  setBoot(ref: MachineRef, rescue: { loginName: string; password: string } | null): Promise<void>;
  /** Sets the machine's firewall: while it is enabled, incoming traffic that matches no rule is dropped. */
  setFirewall(ref: MachineRef, firewall: { enabled: boolean; rules: readonly FirewallRule[] }): Promise<void>;
  setPassword(ref: MachineRef, loginName: string, password: string): Promise<void>;
  remove(ref: MachineRef): Promise<string>;
  note(ref: MachineRef, text: string): Promise<void>;
  /** Copies the machine to the backup storage while it runs. */
  save(ref: MachineRef, note: string): Promise<string>;
  /** Every copy of the machine on the backup storage, even when the machine is gone. */
  saved(ref: MachineRef): Promise<SavedMachine[]>;
  /** Replaces the machine, which must be off, by the copy, with its note and settings. */
  replace(ref: MachineRef, volume: string): Promise<string>;
  dropSaved(ref: MachineRef, volume: string): Promise<void>;
  /** The use of every machine now, in one call. */
  use(): Promise<MachineUse[]>;
  history(ref: MachineRef, span: UseSpan): Promise<UsePoint[]>;
  /** Opens a console of a running machine; it waits ten seconds for its WebSocket. */
  openConsole(ref: MachineRef, kind: 'TEXT' | 'GRAPHIC'): Promise<ConsoleLine>;
  work(id: string): Promise<Work>;
  /** Checks that the hypervisor is set up for making servers of these images. Throws if it cannot be reached. */
  check(images: readonly string[]): Promise<Finding[]>;
}

/** The hypervisor did not answer, or refused. */
export class HypervisorTrouble extends VendorTrouble {}
