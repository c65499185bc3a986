// The node whose machines really run. What the API has asked for stands in the state; here the processes are made to be so, and what they do by
// themselves (boot, switch off, work) is written back.
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

/** Where a machine's kept line stands among the contents of its disk, so that snapshots and backups carry it. */
export const KEPT_FILE = '/kept';

export interface RealNode {
  /** Presses the buttons that tasks are about. */
  press(): void;
  /** Reads what is on the disks of those that run. */
  look(): void;
  settle(): Promise<void>;
  /** Once no machine is on its way up or down. */
  quiet(): Promise<void>;
  /** The serial line of a machine that runs here. */
  line(machine: Machine, write: (text: string) => void): { input(text: string): void; close(): void } | undefined;
  /** Its screen, as QEMU draws it; false: it does not run here. */
  screen(machine: Machine, socket: WebSocket, password: string): boolean;
  close(): Promise<void>;
}

export interface RealNodeOptions {
  /** QEMU's program. */
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
  // They all went off with the sandbox.
  for (const machine of Object.values(state.machines)) if (isReal(machine)) Object.assign(machine, { bootedAt: null, measured: null });
  return new QemuNode(options, await mkdtemp(join(tmpdir(), 'egress-vm-')));
}

class QemuNode implements RealNode {
  readonly #options: RealNodeOptions;
  readonly #directory: string;
  /** By machine: its process, from the moment that it is being started. */
  readonly #running = new Map<number, Promise<RealMachine>>();
  /** By machine: its process, once it was started. */
  readonly #started = new Map<number, RealMachine>();
  /** By machine: until it has come up or gone down. */
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

  /** Those that belong here. */
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
      // Cut off, it is what the API has made of it by now, its disk too.
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

/** As QEMU draws it. */
function joinScreen(path: string, socket: WebSocket): void {
  const line = connect(path);
  line.on('error', () => socket.close(1011)).on('close', () => socket.close(1000));
  line.on('data', (data) => socket.send(data));
  socket.on('message', (data) => line.write(bytesOf(data)));
  socket.once('close', () => line.destroy());
}
