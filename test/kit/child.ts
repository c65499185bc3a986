// Starts a process of the product as an operator does, and watches what it prints and how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Child {
  process: ChildProcess;
  /** Everything that the process has printed so far, on stdout and stderr. */
  text(): string;
  /** Resolves when the process has printed `part`; rejects when it ends before. */
  said(part: string): Promise<void>;
  /** Resolves to the exit code, or to the name of the signal that ended the process. */
  ended: Promise<number | string>;
}

/** The shared compile cache, so that the processes that tests start do not compile the same files again. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };

/** Runs `file`, a path from the root of the repository. Of this process's environment the child gets only PATH, HOME and the compile cache. */
export function runChild(file: string, environment: Record<string, string>, args: readonly string[] = []): Child {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      APOLLO_TELEMETRY_DISABLED: 'true',
      // A developer's own .env must not change what tests do.
      ENV_FILE: '/dev/null',
      ...COMPILED,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
      for (const look of waiting) look();
    });
  const ended = new Promise<number | string>((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? 'nothing')));
  return {
    process: child,
    text: () => printed,
    ended,
    said: (part) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!printed.includes(part)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        void ended.then((end) => reject(new Error(`it ended with ${end} and printed: ${printed}`)));
        look();
      }),
  };
}
