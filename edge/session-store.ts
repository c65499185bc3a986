// Stores sticky sessions on disk, so that a restart neither moves nor extends them, and those that ended within a day. Written once a second: a session
// that a crash loses starts again at the same exit, since exits are chosen by hashing.
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { DAY, SECOND } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';

export interface StoredSession {
  exitId: string;
  /** Remaining lifetime in milliseconds; negative: it ended as long ago. */
  leftMs: number;
  /** How many sessions with this key have ended before. */
  life: number;
  /** The country that a seller's gateway was asked for, where the line names several. */
  country?: string | undefined;
}

export interface SessionStore {
  /** Sessions of the previous run that have not ended, or ended within a day. */
  readonly sessions: ReadonlyMap<string, StoredSession>;
  remember(key: string, session: StoredSession): void;
  close(): void;
}

type Line = [key: string, exitId: string, endsAt: number, life: number, country?: string];

const MAX_BYTES = 16 * 1_048_576;
/** How many ended sessions are remembered at most; those that ended first are dropped. */
export const MAX_ENDED = 100_000;
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
  const forget = () => {
    const ended = [...open.values()].filter(([, , endsAt]) => endsAt <= now()).sort(([, , one], [, , other]) => other - one);
    ended.forEach(([key, , endsAt], index) => {
      if (index >= MAX_ENDED || endsAt <= now() - DAY) open.delete(key);
    });
  };
  forget();
  const began = now();
  const sessions = new Map<string, StoredSession>();
  for (const [key, exitId, endsAt, life, country] of open.values()) sessions.set(key, { exitId, leftMs: endsAt - began, life, country });

  let descriptor = 0;
  let size = 0;
  let limit = MAX_BYTES;
  let pending = '';
  const rewrite = () => {
    const fresh = openSync(`${file}.new`, 'w', 0o600);
    if (descriptor) closeSync(descriptor);
    descriptor = fresh;
    forget();
    size = writeSync(descriptor, [...open.values()].map((line) => `${JSON.stringify(line)}\n`).join(''));
    renameSync(`${file}.new`, file);
    // What must be kept may be more than the usual limit.
    limit = Math.max(MAX_BYTES, 2 * size);
  };
  const flush = () => {
    if (pending === '') return;
    size += writeSync(descriptor, pending);
    pending = '';
    if (size > limit) rewrite();
  };
  rewrite();
  const timer = setInterval(flush, SECOND);
  timer.unref();

  return {
    sessions,
    remember(key, { exitId, leftMs, life, country }) {
      const line: Line = [key, exitId, Math.round(now() + leftMs), life];
      if (country !== undefined) line.push(country);
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
