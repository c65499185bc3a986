// Stores sticky sessions on disk, so that a restart neither moves nor extends them. Written once a second: a session that a crash loses starts again at
// the same exit, since exits are chosen by hashing.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SECOND } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';

export interface StoredSession {
  exitId: string;
  /** Remaining lifetime in milliseconds. */
  leftMs: number;
  /** How many sessions with this key have ended before. */
  life: number;
}

export interface SessionStore {
  /** Sessions of the previous run that have not ended. */
  readonly sessions: ReadonlyMap<string, StoredSession>;
  remember(key: string, session: StoredSession): void;
  close(): void;
}

type Line = [key: string, exitId: string, endsAt: number, life: number];

const MAX_BYTES = 16 * 1_048_576;
const NOTHING: SessionStore = { sessions: new Map(), remember: () => {}, close: () => {} };

/** `file`: one per process; without it nothing is stored. */
export function openSessionStore(file: string | undefined, clock: Clock): SessionStore {
  if (file === undefined) return NOTHING;
  mkdirSync(dirname(file), { recursive: true });
  const open = new Map<string, Line>();
  const now = () => clock.now().getTime();
  for (const text of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    try {
      const line = JSON.parse(text) as Line;
      open.set(line[0], line);
    } catch {
      // A line that a crash has cut off.
    }
  }
  const began = now();
  const sessions = new Map<string, StoredSession>();
  for (const [key, exitId, endsAt, life] of open.values()) if (endsAt > began) sessions.set(key, { exitId, leftMs: endsAt - began, life });

  let descriptor = 0;
  let size = 0;
  let pending = '';
  const rewrite = () => {
    const fresh = openSync(`${file}.new`, 'w', 0o600);
    if (descriptor) closeSync(descriptor);
    descriptor = fresh;
    for (const [key, line] of open) if (line[2] <= now()) open.delete(key);
    size = writeSync(descriptor, [...open.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(`${file}.new`, file);
  };
  const flush = () => {
    if (pending === '') return;
    size += writeSync(descriptor, pending);
    pending = '';
    if (size > MAX_BYTES) rewrite();
  };
  rewrite();
  const timer = setInterval(flush, SECOND);
  timer.unref();

  return {
    sessions,
    remember(key, { exitId, leftMs, life }) {
      const line: Line = [key, exitId, Math.round(now() + leftMs), life];
      open.set(key, line);
      pending += `${JSON.stringify(line)}\n`;
    },
    close() {
      clearInterval(timer);
      flush();
      closeSync(descriptor);
    },
  };
}
