// A process of the product as an operator starts it, with what it prints and how it ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Child {
  process: ChildProcess;
  /** Everything that it has printed so far, on either stream. */
  text(): string;
  /** Resolves when it has printed this; rejects when it ends without. */
  said(part: string): Promise<void>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
}

/** What every process that a test starts finds compiled already. */
export const COMPILED = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' };

/** `file` from the root of the repository. Nothing of this process's environment but PATH and HOME reaches it. */
export function runChild(file: string, environment: Record<string, string>, args: readonly string[] = []): Child {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      APOLLO_TELEMETRY_DISABLED: 'true',
      // What a developer keeps beside the code is no matter of a test.
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
