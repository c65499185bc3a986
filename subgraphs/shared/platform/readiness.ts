// Whether this process can do its work now: what is vital to it, and what it can do without for a while.
import { statfs } from 'node:fs/promises';
import { TooLate, inTime } from './in-time.ts';
import type { Log } from './log.ts';

/** name -> whether that part works; one that throws or takes longer than a second does not. */
export type Checks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

export interface Readiness {
  /** ok: everything works. degraded: what does not work can be done without. unavailable: send nobody here. */
  status: 'ok' | 'degraded' | 'unavailable';
  checks: Record<string, boolean>;
}

const PATIENCE_MS = 1_000;
/** Below this PostgreSQL and our own files are about to fail. */
const LEAST_FREE_BYTES = 64 * 1_048_576;

/** Looks once for all who ask meanwhile. */
export function createReadiness(vital: Checks, degrading: Checks, log: Log): () => Promise<Readiness> {
  let looking: Promise<Readiness> | undefined;
  const look = async (): Promise<Readiness> => {
    const of = async (checks: Checks) =>
      Object.fromEntries(
        await Promise.all(Object.entries(checks).map(async ([name, check]) => [name, await passes(name, check, log)] as const)),
      );
    const [needed, wanted] = await Promise.all([of(vital), of(degrading)]);
    const all = (checks: Record<string, boolean>) => Object.values(checks).every(Boolean);
    return { status: !all(needed) ? 'unavailable' : all(wanted) ? 'ok' : 'degraded', checks: { ...needed, ...wanted } };
  };
  return () => (looking ??= look().finally(() => (looking = undefined)));
}

async function passes(name: string, check: Checks[string], log: Log): Promise<boolean> {
  try {
    return await inTime(check(), PATIENCE_MS);
  } catch (error) {
    log.warn({ check: name, error: String(error) }, error instanceof TooLate ? 'a readiness check is late' : 'a readiness check failed');
    return false;
  }
}

/** Whether there is room on the disk of a folder; one that is not there takes none. */
export async function hasRoom(folder: string): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= LEAST_FREE_BYTES;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

/** Whether another process of ours says that it is ready. `url`: any address of it. */
export async function saysReady(url: string): Promise<boolean> {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'error' });
  await answer.body?.cancel();
  return answer.ok;
}
