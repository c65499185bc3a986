// What this node has spent, on its own disk before it is sent anywhere: after a crash the next life reports it. Written every second without fsync:
// a killed process loses at most one tick, a lost disk what was not reported; both are the operator's loss, never the customer's.
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { originKey } from './protocol/origin.ts';
import type { LeasePart, LeaseReport } from './protocol/control-plane.ts';

/** A file of lines is written anew when it has grown to this. */
const MAX_BYTES = 16 * 1_048_576;

type Line = { l: string; p: LeasePart[] } | { d: string };

export interface Journal {
  /** Leases of an earlier life, as final reports: still to be sent. */
  readonly inherited: readonly LeaseReport[];
  /** Appends the counters; afterwards they may be sent. */
  write(reports: readonly LeaseReport[]): void;
  /** The ledger has the final report of these. */
  settle(leases: readonly string[]): void;
  close(): void;
}

/** What is open after reading a journal: the highest counters per lease. A torn last line is what the crash cost. */
function read(text: string): Map<string, Map<string, LeasePart>> {
  const open = new Map<string, Map<string, LeasePart>>();
  for (const raw of text.split('\n')) {
    let line: Line;
    try {
      line = JSON.parse(raw) as Line;
    } catch {
      continue;
    }
    if ('d' in line) open.delete(line.d);
    else remember(open, line.l, line.p);
  }
  return open;
}

function remember(open: Map<string, Map<string, LeasePart>>, lease: string, parts: readonly LeasePart[]): void {
  const known = open.get(lease) ?? new Map<string, LeasePart>();
  open.set(lease, known);
  for (const part of parts) known.set(originKey(part), part);
}

/**
 * Journals of workers that a node has no more go to the first of those it has: what they hold is still to be reported.
 * `files`: of the workers that it has, beside one another, each `stem` or `stem-NUMBER`.
 */
export function adoptJournals(stem: string, files: readonly [string, ...string[]]): void {
  const folder = dirname(stem);
  mkdirSync(folder, { recursive: true });
  const named = new Set(files.map((file) => basename(file)));
  for (const name of readdirSync(folder)) {
    const [, tail] = name.split(basename(stem), 2);
    if (!name.startsWith(basename(stem)) || !/^(?:-\d+)?$/.test(tail ?? 'x') || named.has(name)) continue;
    appendFileSync(files[0], `\n${readFileSync(join(folder, name), 'utf8')}`, { mode: 0o600 });
    rmSync(join(folder, name));
  }
}

/** `file`: one per process. Undefined: nothing is stored, for nodes whose ledger lives in the same process and dies with them. */
export function openJournal(file: string | undefined): Journal {
  if (file === undefined) return { inherited: [], write: () => {}, settle: () => {}, close: () => {} };
  mkdirSync(dirname(file), { recursive: true });
  const open = existsSync(file) ? read(readFileSync(file, 'utf8')) : new Map<string, Map<string, LeasePart>>();
  const inherited = [...open].map(([lease, parts]): LeaseReport => ({ lease, parts: [...parts.values()], final: true }));
  let descriptor = 0;
  let size = 0;

  const append = (text: string) => {
    size += writeSync(descriptor, text);
  };
  const lineOf = (lease: string, parts: Iterable<LeasePart>) => `${JSON.stringify({ l: lease, p: [...parts] } satisfies Line)}\n`;
  /** The open leases alone, under another name first: a crash in between leaves the old file. */
  const rewrite = () => {
    const fresh = openSync(`${file}.new`, 'w', 0o600);
    if (descriptor) closeSync(descriptor);
    descriptor = fresh;
    size = 0;
    for (const [lease, parts] of open) append(lineOf(lease, parts.values()));
    renameSync(`${file}.new`, file);
  };
  rewrite();

  return {
    inherited,
    write(reports) {
      if (reports.length === 0) return;
      for (const { lease, parts } of reports) remember(open, lease, parts);
      append(reports.map(({ lease, parts }) => lineOf(lease, parts)).join(''));
      if (size > MAX_BYTES) rewrite();
    },
    settle(leases) {
      const known = leases.filter((lease) => open.delete(lease));
      if (known.length > 0) append(known.map((lease) => `${JSON.stringify({ d: lease } satisfies Line)}\n`).join(''));
    },
    close: () => closeSync(descriptor),
  };
}
