// Runs PostgreSQL's own client programs as child processes.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StartFailure } from '../start-failure.ts';

export type Program = ChildProcess & { stdout: Readable; stderr: Readable };

export interface StartedProgram {
  program: Program;
  /** Rejects with a StartFailure when the program is not installed, or with its error output when it fails. */
  ended: Promise<void>;
}

/** The password goes into the environment, so that the list of processes does not show it. */
export function startPostgresProgram(name: string, words: readonly string[], databaseUrl?: string): StartedProgram {
  const url = databaseUrl === undefined ? undefined : new URL(databaseUrl);
  const password = decodeURIComponent(url?.password ?? '');
  if (url) url.password = '';
  const program = spawn(name, [...words, ...(url ? ['-d', url.href] : [])], {
    env: { ...process.env, ...(password && { PGPASSWORD: password }), LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said = text(program.stderr);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  program.once('error', () =>
    reject(
      new StartFailure(
        `${name} is not installed: it comes with PostgreSQL's client programs (Debian: postgresql-client), in the version of the server or a later one.`,
      ),
    ),
  );
  program.once('close', (code) => {
    if (code === 0) resolve();
    else void said.then((words) => reject(new StartFailure(`${name} failed: ${words.trim()}`)));
  });
  promise.catch(() => {});
  return { program, ended: promise };
}
