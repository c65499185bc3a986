// Stores on disk what this node has spent, before it is reported, so that it is reported after a crash. Written every second without fsync: a killed
// process loses at most one second, a lost disk everything not reported. The operator bears that loss, never the customer.
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

/** The file is compacted when it exceeds this size. */
const MAX_BYTES = 16 * 1_048_576;

type Line = { l: string; p: LeasePart[] } | { d: string };

export interface Journal {
  /** Leases of the previous run, as final reports that must still be sent. */
  readonly inherited: readonly LeaseReport[];
  /** Appends the counters. Only afterwards may they be sent. */
  write(reports: readonly LeaseReport[]): void;
  /** The ledger has confirmed the final reports of these leases. */
  settle(leases: readonly string[]): void;
  close(): void;
}

/** The open leases of a journal, with their latest counters. A line that a crash has cut off is skipped. */
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
 * Appends the journals of workers that no longer exist to the first of `files`, so that their content is still reported.
 * `files`: one per worker, all in one folder, each named `stem` or `stem-NUMBER`.
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

/** `file`: one per process. Undefined: nothing is stored, for nodes whose ledger runs in the same process. */
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
  /** Writes only the open leases, to a new file that then replaces the old one: a crash in between leaves the old file. */
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
