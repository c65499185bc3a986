// What servers run on, in our words.

/** A machine's place: a node, and its number, which is its own in the whole cluster. */
export interface MachineRef {
  node: string;
  number: number;
}

export interface FoundMachine extends MachineRef {
  name: string;
}

export interface MachineState {
  running: boolean;
  /** Something works on it, or has left it half-made. */
  busy: boolean;
  /** Null: it has no disk. */
  diskGb: number | null;
  uptimeSeconds: number;
}

export interface MachineNeed {
  /** A template's name without its prefix, as `ubuntu-24-04`. */
  image: string;
  cores: number;
  ramGb: number;
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
}

/** Work that takes time: `unknown` when the hypervisor has forgotten it. */
export type WorkState = 'running' | 'done' | 'failed' | 'unknown';

/** All may throw HypervisorTrouble, after which nobody knows whether it happened: look, then ask again. What returns a string started work of that id. */
export interface Hypervisor {
  /** The node with the most free memory that can make such a machine; undefined when none can. */
  place(need: MachineNeed): Promise<string | undefined>;
  isFree(number: number): Promise<boolean>;
  /** Every machine of the cluster, also those on nodes that do not answer; templates left out. */
  machines(): Promise<(FoundMachine & { running: boolean | undefined })[]>;
  clone(ref: MachineRef, image: string, name: string): Promise<string>;
  inspect(ref: MachineRef): Promise<MachineState>;
  configure(ref: MachineRef, settings: MachineSettings): Promise<void>;
  /** Whether it has what `configure` sets, as far as it can be read back. */
  isConfigured(ref: MachineRef, settings: MachineSettings): Promise<boolean>;
  resize(ref: MachineRef, gigabytes: number): Promise<string>;
  start(ref: MachineRef): Promise<string>;
  /** Asks the guest to end. */
  shutdown(ref: MachineRef): Promise<string>;
  reboot(ref: MachineRef): Promise<string>;
  /** Cuts the power. */
  stop(ref: MachineRef): Promise<string>;
  setPassword(ref: MachineRef, loginName: string, password: string): Promise<void>;
  remove(ref: MachineRef): Promise<string>;
  work(id: string): Promise<WorkState>;
}

/** The hypervisor did not answer, or said no. */
export class HypervisorTrouble extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HypervisorTrouble';
  }
}
