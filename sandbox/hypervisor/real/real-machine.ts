// A virtual machine that really runs: a QEMU process under software emulation, with a serial line, a screen, a power button and a disk.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import type { Use } from '../state.ts';
import { KEPT_SECTOR, READY, diskImage, keptIn } from './boot-sector.ts';
import { type Control, openControl } from './control.ts';

/** Fixed, whatever was bought: the system needs neither more memory nor a second processor. */
const MEMORY_MB = 16;
/** Starts QEMU so that it is killed with this process. */
const WITH_US = '/usr/bin/setpriv';
const BACKLOG = 2_048;
/** Clock ticks in /proc. */
const TICKS_A_SECOND = 100;
const PAGE = 4_096;
const MEASURE_MS = 500;

export interface RealMachine {
  /** The socket on which its screen speaks RFB. */
  readonly screen: string;
  /** Resolves when its system is ready for input; never when it ends before. */
  readonly booted: Promise<void>;
  /** Resolves when its process has ended. */
  readonly ended: Promise<void>;
  /** It was stopped from outside, not by its own system. */
  readonly wasCut: boolean;
  /** Presses the power button; further presses have no effect. */
  press(): void;
  cut(): void;
  type(text: string): void;
  /** Passes on the output of the serial line, beginning with the last part of what was printed before. Returns the function that stops it. */
  listen(write: (text: string) => void): () => void;
  setScreenPassword(password: string): Promise<void>;
  /** The usage since the last measurement; undefined when too little time has passed. */
  measure(): Promise<Use | undefined>;
  contents(): string;
}

export interface RealMachineOptions {
  program: string;
  /** A path without an ending; it must be short, since sockets are created there. */
  path: string;
  name: string;
  contents: string;
}

export async function startRealMachine(options: RealMachineOptions): Promise<RealMachine> {
  writeFileSync(imageOf(options), diskImage(options.name, options.contents));
  const control = await openControl(`${options.path}.qmp`);
  return new QemuMachine(options, control, launch(options.program, argumentsOf(options)));
}

const imageOf = ({ path }: RealMachineOptions): string => `${path}.img`;
const screenOf = ({ path }: RealMachineOptions): string => `${path}.vnc`;

/** The arguments for QEMU. */
function argumentsOf(options: RealMachineOptions): string[] {
  const { name, path } = options;
  const hardware = '-machine pc,accel=tcg -nodefaults -no-user-config -display none -vga std'.split(' ');
  const drive = ['-drive', `file=${imageOf(options)},format=raw,if=ide,cache=writethrough`];
  const serial = ['-chardev', 'stdio,id=line,signal=off', '-serial', 'chardev:line'];
  const monitor = ['-chardev', `socket,id=control,path=${path}.qmp`, '-mon', 'chardev=control,mode=control'];
  return [
    '-name',
    name,
    '-m',
    String(MEMORY_MB),
    ...hardware,
    ...drive,
    ...serial,
    ...monitor,
    '-vnc',
    `unix:${screenOf(options)},password=on`,
  ];
}

class QemuMachine implements RealMachine {
  readonly screen: string;
  readonly booted: Promise<void>;
  readonly ended: Promise<void>;
  readonly #image: string;
  readonly #control: Control;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #listeners = new Set<(text: string) => void>();
  /** The last part of the serial line's output. */
  #said = '';
  #over = false;
  #pressed = false;
  #cut = false;
  #before: { at: number; cpu: number; read: number; written: number } | undefined;

  constructor(options: RealMachineOptions, control: Control, child: ChildProcessWithoutNullStreams) {
    this.screen = screenOf(options);
    this.#image = imageOf(options);
    this.#control = control;
    this.#process = child;
    this.booted = this.#boot();
    this.ended = this.#end(options.name);
  }

  get wasCut(): boolean {
    return this.#cut;
  }

  press(): void {
    if (this.#pressed) return;
    this.#pressed = true;
    this.#control.ask('system_powerdown').catch(() => {});
  }

  cut(): void {
    this.#cut = true;
    this.#process.kill('SIGKILL');
  }

  type(text: string): void {
    this.#process.stdin.write(text, 'latin1');
  }

  listen(write: (text: string) => void): () => void {
    write(this.#said);
    this.#listeners.add(write);
    return () => void this.#listeners.delete(write);
  }

  async setScreenPassword(password: string): Promise<void> {
    await this.#control.ask('set_password', { protocol: 'vnc', password });
  }

  async measure(): Promise<Use | undefined> {
    const now = performance.now();
    const last = this.#before;
    if (this.#over || (last && now - last.at < MEASURE_MS)) return undefined;
    try {
      const drives = await this.#control.ask<{ stats: { rd_bytes: number; wr_bytes: number } }[]>('query-blockstats');
      const [read = 0, written = 0] = (['rd_bytes', 'wr_bytes'] as const).map((key) =>
        drives.reduce((sum, { stats }) => sum + stats[key], 0),
      );
      const { cpu, mem } = processUse(this.#process.pid);
      this.#before = { at: now, cpu, read, written };
      if (!last) return undefined;
      const seconds = (now - last.at) / 1_000;
      const rate = (from: number, to: number) => Math.max(0, to - from) / seconds;
      return {
        cpu: Math.min(1, rate(last.cpu, cpu)),
        mem,
        // The machine has no network card.
        netin: 0,
        netout: 0,
        diskread: Math.round(rate(last.read, read)),
        diskwrite: Math.round(rate(last.written, written)),
      };
    } catch (error) {
      if (this.#over) return undefined;
      throw error;
    }
  }

  contents(): string {
    const file = openSync(this.#image, 'r');
    try {
      const sector = Buffer.alloc(KEPT_SECTOR.length);
      readSync(file, sector, 0, KEPT_SECTOR.length, KEPT_SECTOR.position);
      return keptIn(sector);
    } finally {
      closeSync(file);
    }
  }

  /** Reads the serial line; resolves when the system is ready. */
  #boot(): Promise<void> {
    return new Promise((resolve) => {
      this.#process.stdout.setEncoding('latin1').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-BACKLOG);
        for (const write of this.#listeners) write(text);
        if (this.#said.includes(READY)) resolve();
      });
    });
  }

  #end(name: string): Promise<void> {
    this.#process.stderr.on('data', (data: Buffer) => process.stderr.write(`Machine ${name}: ${data.toString()}`));
    // Input that is sent while the machine ends is lost.
    this.#process.stdin.on('error', () => {});
    return new Promise((resolve) => {
      const end = () => {
        this.#over = true;
        this.#control.close();
        resolve();
      };
      this.#process.once('exit', end);
      this.#process.once('error', (cause) => {
        process.stderr.write(`Machine ${name}: ${String(cause)}\n`);
        end();
      });
    });
  }
}

const launch = (program: string, given: string[]): ChildProcessWithoutNullStreams =>
  existsSync(WITH_US) ? spawn(WITH_US, ['--pdeathsig', 'KILL', program, ...given]) : spawn(program, given);

/** Processor seconds since its start and bytes of memory, from /proc, where the hypervisor reads them too. */
function processUse(pid: number | undefined): { cpu: number; mem: number } {
  if (pid === undefined || !existsSync(`/proc/${pid}/stat`)) return { cpu: 0, mem: 0 };
  const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0);
  return { cpu: (Number(times[11] ?? 0) + Number(times[12] ?? 0)) / TICKS_A_SECOND, mem: pages * PAGE };
}
