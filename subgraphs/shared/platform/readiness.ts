// Whether this process can do its work now: checks of what is vital to it, and of what it can do without for a while.
import { statfs } from 'node:fs/promises';
import { TooLate, inTime } from './in-time.ts';
import type { Log } from './log.ts';

/** name -> whether that part works. A check that throws or takes longer than a second has failed. */
export type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

export interface Readiness {
  /** ok: everything works. degraded: a part that can be done without fails. unavailable: send no requests here. stopping: the same, and for good. */
  status: 'ok' | 'degraded' | 'unavailable' | 'stopping';
  checks: Record<string, boolean>;
  /** Amounts by name, such as how many sockets are open. */
  counts?: Record<string, number>;
}

/** Runs the checks. */
export interface Look {
  (): Promise<Readiness>;
  /** From now on every result is `stopping`, also that of a run in progress. */
  stop(): void;
  readonly stopping: boolean;
}

/** Whether requests may be sent to a process with this result. */
export const mayBeSent = ({ status }: Readiness): boolean => status === 'ok' || status === 'degraded';

const PATIENCE_MS = 1_000;
/** With less free space PostgreSQL and our own files are about to fail. */
const MIN_FREE_BYTES = 64 * 1_048_576;

const STOPPING: Readiness = { status: 'stopping', checks: {} };

/** Concurrent callers share one run of the checks. `counts` is read at each run. */
export function createReadiness(vital: Checks, degrading: Checks, log: Log, counts?: () => Record<string, number>): Look {
  let stopping = false;
  let looking: Promise<Readiness> | undefined;
  const look = async (): Promise<Readiness> => {
    const of = async (checks: Checks) =>
      Object.fromEntries(
        await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await passes(name, check, log)] as const)),
      );
    const [needed, wanted] = await Promise.all([of(vital), of(degrading)]);
    const all = (checks: Record<string, boolean>) => Object.values(checks).every(Boolean);
    return {
      status: !all(needed) ? 'unavailable' : all(wanted) ? 'ok' : 'degraded',
      checks: { ...needed, ...wanted },
      ...(counts && { counts: counts() }),
    };
  };
  const ask = async () => {
    if (stopping) return STOPPING;
    const found = await (looking ??= look().finally(() => (looking = undefined)));
    return stopping ? STOPPING : found;
  };
  const controls = {
    stop() {
      stopping = true;
    },
    get stopping() {
      return stopping;
    },
  };
  return Object.defineProperties(ask, Object.getOwnPropertyDescriptors(controls)) as Look;
}

async function passes(name: string, check: Checks[string], log: Log): Promise<boolean> {
  try {
    return await inTime(check(), PATIENCE_MS);
  } catch (error) {
    log.warn({ check: name, error: String(error) }, error instanceof TooLate ? 'a readiness check is late' : 'a readiness check failed');
    return false;
  }
}

/** The free bytes on the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether the disk of a folder has enough free space; true when the folder does not exist. */
export async function hasRoom(folder: string): Promise<boolean> {
  try {
    return (await freeBytes(folder)) >= MIN_FREE_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** Whether another process of the platform reports that it is ready. `url`: any URL of it. */
export async function saysReady(url: string, patienceMs = PATIENCE_MS): Promise<boolean> {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(patienceMs), redirect: 'error' });
  await answer.body?.cancel();
  return answer.ok;
}
