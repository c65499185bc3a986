// The file in which a running PostgreSQL stores its process id. It stays after an unclean stop, and another process may have that id by then: in a container
// ids repeat.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Larger than any process id (Linux: at most 2^22). */
const NOBODY = 2_147_483_647;
/** Line numbers in the file, from 0: PostgreSQL's src/include/utils/pidfile.h. */
const [PID, PORT] = [0, 3];

const fileOf = (data: string) => join(data, 'postmaster.pid');

const linesOf = (data: string): string[] | undefined => {
  try {
    return readFileSync(fileOf(data), 'utf8').split('\n');
  } catch {
    return undefined;
  }
};

/** The port in the file. */
export const filedPort = (data: string): number | undefined => Number(linesOf(data)?.[PORT]) || undefined;

/**
 * Whether the file's process is a server of this directory. A server's working directory is its data directory; the check of the directory also tells a thread
 * with this id from a server.
 */
export function isServing(data: string): boolean {
  const pid = Number(linesOf(data)?.[PID]);
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    // Not Linux, or no process has this id.
  }
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes(data);
  } catch {
    return false;
  }
}

/**
 * Replaces the process id in the file of a server that does not run. PostgreSQL refuses to start while any process has that id. The other lines stay:
 * PostgreSQL uses them to find what a dead server left behind.
 */
export function disown(data: string): void {
  const lines = linesOf(data);
  if (!lines || isServing(data)) return;
  lines[PID] = String(NOBODY);
  writeFileSync(fileOf(data), lines.join('\n'));
}
