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

export async function openRealNode({ program, state, now, changed }: RealNodeOptions): Promise<RealNode> {
  await promisify(execFile)(program, ['--version']).catch((cause: unknown) => {
    throw new Error(`SANDBOX_QEMU is not a program that runs: ${program}. On Debian it comes with the package qemu-system-x86.`, { cause });
  });
  const directory = await mkdtemp(join(tmpdir(), 'egress-vm-'));
  const running = new Map<number, Promise<RealMachine>>();
  /** By machine: until it has come up or gone down. */
  const underWay = new Map<number, Promise<void>>();
  let closing = false;

  // They all went off with the sandbox.
  for (const machine of Object.values(state.machines)) if (isReal(machine)) Object.assign(machine, { bootedAt: null, measured: null });
  const here = () => Object.values(state.machines).filter((machine) => isReal(machine) && !machine.template);

  async function launch(machine: Machine): Promise<RealMachine> {
    const { vmid, name, disk, config } = machine;
    const real = await startRealMachine({
      program,
      path: join(directory, String(vmid)),
      name: String(config['description'] ?? name),
      kept: disk?.contents[KEPT_FILE] ?? '',
    });
    void real.ended.then(() => {
      running.delete(vmid);
      if (closing) return;
      machine.measured = null;
      // Cut off, it is what the API has made of it by now, its disk too.
      if (!real.wasCut) {
        keep(machine, real);
        powerOff(machine);
      }
      changed();
    });
    void real.booted.then(() => {
      if (machine.running) machine.bootedAt = now();
      changed();
    });
    underWay.set(vmid, Promise.race([real.booted, real.ended]));
    return real;
  }
  function keep({ disk }: Machine, real: RealMachine): void {
    const kept = real.kept();
    if (disk && (kept || disk.contents[KEPT_FILE] !== undefined)) disk.contents[KEPT_FILE] = kept;
  }
  async function goDown(vmid: number, how: (real: RealMachine) => void): Promise<void> {
    const real = await running.get(vmid);
    if (!real) return;
    how(real);
    await real.ended;
  }
  const open = new Map<number, RealMachine>();
  async function settle(): Promise<void> {
    for (const machine of here()) {
      const { vmid } = machine;
      if (machine.running && !running.has(vmid)) {
        const real = launch(machine);
        running.set(vmid, real);
        open.set(vmid, await real);
      } else if (!machine.running && running.has(vmid))
        underWay.set(
          vmid,
          goDown(vmid, (real) => real.cut()),
        );
      const real = await running.get(vmid);
      if (!real || !machine.running) continue;
      machine.measured = (await real.measure()) ?? machine.measured;
    }
    for (const vmid of running.keys())
      if (!state.machines[vmid])
        underWay.set(
          vmid,
          goDown(vmid, (real) => real.cut()),
        );
  }
  const runs = ({ vmid }: Machine): RealMachine | undefined => (running.has(vmid) ? open.get(vmid) : undefined);

  return {
    press() {
      for (const { effect, exitstatus, fate } of Object.values(state.tasks)) {
        if (exitstatus !== null || (fate !== 'ok' && fate !== 'lost')) continue;
        if ((effect.kind === 'shutdown' || effect.kind === 'reboot') && running.has(effect.vmid))
          underWay.set(
            effect.vmid,
            goDown(effect.vmid, (real) => real.press()),
          );
      }
    },
    look() {
      for (const machine of here()) {
        const real = runs(machine);
        if (real && machine.running) keep(machine, real);
      }
    },
    settle,
    async quiet() {
      await Promise.all(underWay.values());
    },
    line(machine, write) {
      const real = runs(machine);
      if (!real) return undefined;
      const close = real.listen(write);
      return { input: (text) => real.type(text), close };
    },
    screen(machine, socket, password) {
      const real = runs(machine);
      if (!real) return false;
      real.setScreenPassword(password).then(
        () => {
          const line = connect(real.screen);
          line.on('error', () => socket.close(1011)).on('close', () => socket.close(1000));
          line.on('data', (data) => socket.send(data));
          socket.on('message', (data) => line.write(bytesOf(data)));
          socket.once('close', () => line.destroy());
        },
        () => socket.close(1011),
      );
      return true;
    },
    async close() {
      closing = true;
      for (const [vmid, starting] of running) {
        const real = await starting;
        const machine = state.machines[vmid];
        if (machine) keep(machine, real);
        real.cut();
        await real.ended;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}
