// Scheduled backups: checks each minute whether a backup is due, and takes it in a child process, because sealing keeps a core busy for a while.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE, SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { isDue } from './scheduled-backup.ts';

/** The pause after a failed backup. */
const RETRY_MS = 15 * MINUTE;

export interface BackupSchedule {
  everyHours: number;
  clock: Clock;
  log: Pick<Log, 'error' | 'info'>;
  /** When the last backup was taken. */
  last(): Promise<Date | undefined>;
  /** Takes a backup. Returns its output, and whether it succeeded. */
  take(signal: AbortSignal): Promise<{ ok: boolean; words: string }>;
}

export interface RunningSchedule {
  /** Checks now. Resolves once a backup that was due is taken. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export function startBackups({ everyHours, clock, log, last, take }: BackupSchedule): RunningSchedule {
  const ending = new AbortController();
  let notBefore = 0;
  let running: Promise<void> | undefined;

  async function once(): Promise<void> {
    const now = clock.now();
    if (now.getTime() < notBefore || !isDue(await last(), everyHours, now)) return;
    const { ok, words } = await take(ending.signal);
    if (ending.signal.aborted) return;
    if (ok) return void log.info({ words }, 'a backup was taken');
    notBefore = clock.now().getTime() + RETRY_MS;
    log.error({ words }, 'the backup that is due was not taken');
  }
  const look = (): Promise<void> => {
    running ??= once()
      // The database cannot be reached: readiness reports it, and the next check asks again.
      .catch((error: unknown) => log.error({ err: error }, 'whether a backup is due is not known'))
      .finally(() => (running = undefined));
    return running;
  };

  const timer = setInterval(() => void look(), MINUTE);
  timer.unref();
  return {
    look,
    async close() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

/** Runs the operator's command in a child process, with the environment of this one. */
export const takeByCommand =
  (command: string) =>
  (signal: AbortSignal): Promise<{ ok: boolean; words: string }> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [command, '--scheduled'], { stdio: ['ignore', 'pipe', 'pipe'], signal });
      let words = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (words += bytes.toString()));
      child.once('error', (error) => resolve({ ok: false, words: error.message }));
      child.once('close', (code) => resolve({ ok: code === 0, words: words.trim() }));
    });

/** The pause before a command that ended by itself is started again. */
const AGAIN_MS = 15 * SECOND;

/** Runs the operator's command that archives the log in a child process, and starts it again when it ends. */
export function startFollowing(command: string, log: Pick<Log, 'error' | 'info'>): { close(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const once = (): Promise<string> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [command, '--follow'], { stdio: ['ignore', 'pipe', 'pipe'] });
      const end = () => child.kill('SIGTERM');
      signal.addEventListener('abort', end, { once: true });
      let failed = '';
      child.stdout.on('data', (bytes: Buffer) => log.info({ words: bytes.toString().trim() }, 'backups'));
      child.stderr.on('data', (bytes: Buffer) => (failed += bytes.toString()));
      child.once('error', (error) => resolve(error.message));
      child.once('close', () => {
        signal.removeEventListener('abort', end);
        resolve(failed.trim());
      });
    });
  const running = (async () => {
    while (!signal.aborted) {
      const words = await once();
      if (signal.aborted) return;
      log.error({ words }, 'the log beside the backups is not kept');
      await pause(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  })();
  return {
    async close() {
      ending.abort();
      await running;
    },
  };
}
