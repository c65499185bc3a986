// The file in which a running PostgreSQL says who it is. After an unclean stop it stays, and its number may be anybody's by then: in a container numbers repeat.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Above what any system gives to a process (Linux: 2^22). */
const NOBODY = 2_147_483_647;
/** Its lines, from 0: PostgreSQL's src/include/utils/pidfile.h. */
const [PID, PORT] = [0, 3];

const fileOf = (data: string) => join(data, 'postmaster.pid');

const linesOf = (data: string): string[] | undefined => {
  try {
    return readFileSync(fileOf(data), 'utf8').split('\n');
  } catch {
    return undefined;
  }
};

/** The port that the file names. */
export const filedPort = (data: string): number | undefined => Number(linesOf(data)?.[PORT]) || undefined;

/** Whether the process of the file is a server of this directory. A server works in its directory; a thread has a number too, and the folder of its process. */
export function isServing(data: string): boolean {
  const pid = Number(linesOf(data)?.[PID]);
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
  } catch {
    // Not Linux, or nobody has this number.
  }
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes(data);
  } catch {
    return false;
  }
}

/**
 * Takes the number out of a file whose server does not run. PostgreSQL believes any living number, and refuses to start; the rest stays, since by it PostgreSQL
 * looks for what a dead server left running.
 */
export function disown(data: string): void {
  const lines = linesOf(data);
  if (!lines || isServing(data)) return;
  lines[PID] = String(NOBODY);
  writeFileSync(fileOf(data), lines.join('\n'));
}
