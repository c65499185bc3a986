// The node whose machines really run. The API's requests change the state; this code starts and stops processes to match the state, and writes back what machines do on
// their own: boot, switch off, use resources.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WebSocket } from 'ws';
import { powerOff } from '../life.ts';
import { bytesOf } from '../raw-data.ts';
import { type HypervisorState, type Machine, isReal } from '../state.ts';
import { type RealMachine, startRealMachine } from './real-machine.ts';

/** The file in the disk's contents for a machine's stored line, so that snapshots and backups include it. */
export const KEPT_FILE = '/kept';

export interface RealNode {
  /** Presses the power buttons for pending shutdown and reboot tasks. */
  press(): void;
  /** Reads the disks of running machines. */
  look(): void;
  settle(): Promise<void>;
  /** Resolves when no machine is starting or stopping. */
  quiet(): Promise<void>;
  /** The serial line of a machine that runs on this node. */
  line(machine: Machine, write: (text: string) => void): { input(text: string): void; close(): void } | undefined;
  /** Connects its screen, which QEMU draws; false when the machine does not run on this node. */
  screen(machine: Machine, socket: WebSocket, password: string): boolean;
  close(): Promise<void>;
}

export interface RealNodeOptions {
  /** The path of QEMU. */
  program: string;
  state: HypervisorState;
  now(): number;
  changed(): void;
}

export async function openRealNode(options: RealNodeOptions): Promise<RealNode> {
  const { program, state } = options;
  await promisify(execFile)(program, ['--version']).catch((cause: unknown) => {
    throw new Error(`SANDBOX_QEMU is not a program that runs: ${program}. On Debian it comes with the package qemu-system-x86.`, { cause });
  });
  // All of these machines ended with the previous sandbox process.
  for (const machine of Object.values(state.machines)) if (isReal(machine)) Object.assign(machine, { bootedAt: null, measured: null });
  return new QemuNode(options, await mkdtemp(join(tmpdir(), 'egress-vm-')));
}

class QemuNode implements RealNode {
  readonly #options: RealNodeOptions;
  readonly #directory: string;
  /** By machine: its process, including one that is being started. */
  readonly #running = new Map<number, Promise<RealMachine>>();
  /** By machine: its process, once it is started. */
  readonly #started = new Map<number, RealMachine>();
  /** By machine: resolves when it has started or stopped. */
  readonly #underWay = new Map<number, Promise<void>>();
  #closing = false;

  constructor(options: RealNodeOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
  }

  press(): void {
    for (const { effect, exitstatus, fate } of Object.values(this.#options.state.tasks)) {
      if (exitstatus !== null || (fate !== 'ok' && fate !== 'lost')) continue;
      if (effect.kind === 'shutdown' || effect.kind === 'reboot') this.#takeDown(effect.vmid, (real) => real.press());
    }
  }

  look(): void {
    for (const machine of this.#machines()) {
      const real = this.#processOf(machine);
      if (real && machine.running) saveContents(machine, real);
    }
  }

  async settle(): Promise<void> {
    for (const machine of this.#machines()) {
      const { vmid } = machine;
      if (machine.running && !this.#running.has(vmid)) {
        const real = this.#launch(machine);
        this.#running.set(vmid, real);
        this.#started.set(vmid, await real);
      } else if (!machine.running) this.#takeDown(vmid, (real) => real.cut());
      const real = await this.#running.get(vmid);
      if (!real || !machine.running) continue;
      machine.measured = (await real.measure()) ?? machine.measured;
    }
    for (const vmid of this.#running.keys()) if (!this.#options.state.machines[vmid]) this.#takeDown(vmid, (real) => real.cut());
  }

  async quiet(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  line(machine: Machine, write: (text: string) => void): { input(text: string): void; close(): void } | undefined {
    const real = this.#processOf(machine);
    if (!real) return undefined;
    const close = real.listen(write);
    return { input: (text) => real.type(text), close };
  }

  screen(machine: Machine, socket: WebSocket, password: string): boolean {
    const real = this.#processOf(machine);
    if (!real) return false;
    real.setScreenPassword(password).then(
      () => joinScreen(real.screen, socket),
      () => socket.close(1011),
    );
    return true;
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const [vmid, starting] of this.#running) {
      const real = await starting;
      const machine = this.#options.state.machines[vmid];
      if (machine) saveContents(machine, real);
      real.cut();
      await real.ended;
    }
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** The machines of this node. */
  #machines(): Machine[] {
    return Object.values(this.#options.state.machines).filter((machine) => isReal(machine) && !machine.template);
  }

  #processOf({ vmid }: Machine): RealMachine | undefined {
    return this.#running.has(vmid) ? this.#started.get(vmid) : undefined;
  }

  async #launch(machine: Machine): Promise<RealMachine> {
    const { program, now, changed } = this.#options;
    const { vmid, name, disk, config } = machine;
    const real = await startRealMachine({
      program,
      path: join(this.#directory, String(vmid)),
      name: String(config['description'] ?? name),
      contents: disk?.contents[KEPT_FILE] ?? '',
    });
    void real.ended.then(() => {
      this.#running.delete(vmid);
      if (this.#closing) return;
      machine.measured = null;
      // When a machine was stopped by the API, its state and its disk are set already.
      if (!real.wasCut) {
        saveContents(machine, real);
        powerOff(machine);
      }
      changed();
    });
    void real.booted.then(() => {
      if (machine.running) machine.bootedAt = now();
      changed();
    });
    this.#underWay.set(vmid, Promise.race([real.booted, real.ended]));
    return real;
  }

  #takeDown(vmid: number, how: (real: RealMachine) => void): void {
    if (this.#running.has(vmid)) this.#underWay.set(vmid, this.#goDown(vmid, how));
  }

  async #goDown(vmid: number, how: (real: RealMachine) => void): Promise<void> {
    const real = await this.#running.get(vmid);
    if (!real) return;
    how(real);
    await real.ended;
  }
}

function saveContents({ disk }: Machine, real: RealMachine): void {
  const contents = real.contents();
  if (disk && (contents || disk.contents[KEPT_FILE] !== undefined)) disk.contents[KEPT_FILE] = contents;
}

/** Connects the WebSocket to QEMU's screen. */
function joinScreen(path: string, socket: WebSocket): void {
  const line = connect(path);
  line.on('error', () => socket.close(1011)).on('close', () => socket.close(1000));
  line.on('data', (data) => socket.send(data));
  socket.on('message', (data) => line.write(bytesOf(data)));
  socket.once('close', () => line.destroy());
}
