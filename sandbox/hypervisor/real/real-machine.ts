// A virtual machine that really runs: a process of QEMU under software emulation, with a serial line, a screen, a power button and a disk.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import type { Use } from '../state.ts';
import { KEPT_SECTOR, READY, diskImage, keptIn } from './boot-sector.ts';
import { openControl } from './control.ts';

/** It shows that it runs, not how much was bought: its system needs neither more memory nor a second processor. */
const MEMORY_MB = 16;
/** Takes the machine along when this process is killed. */
const WITH_US = '/usr/bin/setpriv';
const BACKLOG = 2_048;
/** Of a processor in /proc. */
const TICKS_A_SECOND = 100;
const PAGE = 4_096;
const MEASURE_MS = 500;

export interface RealMachine {
  /** Where its screen speaks RFB. */
  readonly screen: string;
  /** Its system listens; never, when it ends before. */
  readonly booted: Promise<void>;
  /** Its process is gone. */
  readonly ended: Promise<void>;
  /** It was ended from outside, not by its own system. */
  readonly wasCut: boolean;
  /** Presses the power button; a second time is nothing. */
  press(): void;
  cut(): void;
  type(text: string): void;
  /** What the serial line says from now on, and a little of what it has said. Returns how to stop. */
  listen(write: (text: string) => void): () => void;
  setScreenPassword(password: string): Promise<void>;
  /** Of the time since the last measure; undefined while it is too early to tell. */
  measure(): Promise<Use | undefined>;
  kept(): string;
}

export interface RealMachineOptions {
  program: string;
  /** Without an ending; a short one: sockets stand there. */
  path: string;
  name: string;
  kept: string;
}

export async function startRealMachine({ program, path, name, kept }: RealMachineOptions): Promise<RealMachine> {
  const image = `${path}.img`;
  const screen = `${path}.vnc`;
  writeFileSync(image, diskImage(name, kept));
  const control = await openControl(`${path}.qmp`);
  const child = launch(program, [
    ...[
      '-name',
      name,
      '-machine',
      'pc,accel=tcg',
      '-m',
      String(MEMORY_MB),
      '-nodefaults',
      '-no-user-config',
      '-display',
      'none',
      '-vga',
      'std',
    ],
    ...['-drive', `file=${image},format=raw,if=ide,cache=writethrough`, '-chardev', 'stdio,id=line,signal=off', '-serial', 'chardev:line'],
    ...['-chardev', `socket,id=control,path=${path}.qmp`, '-mon', 'chardev=control,mode=control', '-vnc', `unix:${screen},password=on`],
  ]);
  const listeners = new Set<(text: string) => void>();
  let said = '';
  let over = false;
  let pressed = false;
  let cut = false;
  let before: { at: number; cpu: number; read: number; written: number } | undefined;

  const booted = new Promise<void>((resolve) => {
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      said = (said + text).slice(-BACKLOG);
      for (const write of listeners) write(text);
      if (said.includes(READY)) resolve();
    });
  });
  child.stderr.on('data', (data: Buffer) => process.stderr.write(`Machine ${name}: ${data.toString()}`));
  // What is typed as it ends is lost, as on any line.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      control.close();
      resolve();
    };
    child.once('exit', end);
    child.once('error', (cause) => {
      process.stderr.write(`Machine ${name}: ${String(cause)}\n`);
      end();
    });
  });

  return {
    screen,
    booted,
    ended,
    get wasCut() {
      return cut;
    },
    press() {
      if (pressed) return;
      pressed = true;
      control.ask('system_powerdown').catch(() => {});
    },
    cut() {
      cut = true;
      child.kill('SIGKILL');
    },
    type: (text) => void child.stdin.write(text, 'latin1'),
    listen(write) {
      write(said);
      listeners.add(write);
      return () => void listeners.delete(write);
    },
    setScreenPassword: async (password) => void (await control.ask('set_password', { protocol: 'vnc', password })),
    async measure() {
      const now = performance.now();
      if (over || (before && now - before.at < MEASURE_MS)) return undefined;
      try {
        const drives = await control.ask<{ stats: { rd_bytes: number; wr_bytes: number } }[]>('query-blockstats');
        const [read, written] = (['rd_bytes', 'wr_bytes'] as const).map((key) => drives.reduce((sum, { stats }) => sum + stats[key], 0));
        const { cpu, mem } = processUse(child.pid);
        const last = before;
        before = { at: now, cpu, read: read ?? 0, written: written ?? 0 };
        if (!last) return undefined;
        const seconds = (now - last.at) / 1_000;
        const rate = (from: number, to: number) => Math.max(0, to - from) / seconds;
        return {
          cpu: Math.min(1, rate(last.cpu, cpu)),
          mem,
          // It has no network card.
          netin: 0,
          netout: 0,
          diskread: Math.round(rate(last.read, before.read)),
          diskwrite: Math.round(rate(last.written, before.written)),
        };
      } catch (error) {
        if (over) return undefined;
        throw error;
      }
    },
    kept() {
      const file = openSync(image, 'r');
      try {
        const sector = Buffer.alloc(KEPT_SECTOR.length);
        readSync(file, sector, 0, KEPT_SECTOR.length, KEPT_SECTOR.position);
        return keptIn(sector);
      } finally {
        closeSync(file);
      }
    },
  };
}

const launch = (program: string, given: string[]): ChildProcessWithoutNullStreams =>
  existsSync(WITH_US) ? spawn(WITH_US, ['--pdeathsig', 'KILL', program, ...given]) : spawn(program, given);

/** Seconds of a processor since it began, and bytes, as the hypervisor reads them too. */
function processUse(pid: number | undefined): { cpu: number; mem: number } {
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) return { cpu: 0, mem: 0 };
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0);
  return { cpu: (Number(times[11] ?? 0) + Number(times[12] ?? 0)) / TICKS_A_SECOND, mem: pages * PAGE };
}
