// Runs one process from start to exit. Every exit has a code and a time limit: 0 when it was asked to stop, 1 with a line on standard error when it could not
// start, failed, or did not stop in time. https://nodejs.org/api/process.html#warning-using-uncaughtexception-correctly
import { createLog, turnLogLevel } from './log.ts';
import { sentenceOf } from './start-failure.ts';

export interface Running {
  /** Reports that the process stops, and resolves when load balancers have had time to notice. Not called after a failure. */
  leave?(): Promise<void>;
  close(): Promise<void>;
  /** Milliseconds that closing may take; absent: the default. */
  closeMs?: number;
}

export interface RunOptions {
  /** When it fails, it must have closed what it opened. */
  start(): Promise<Running>;
  /** Called when the process stops, before anything is closed. */
  stopping?(): void;
}

/** Ten seconds for open requests, ten for jobs, five for connections: less than the thirty after which Kubernetes kills. */
const CLOSE_MS = 25_000;
/** Shorter, because nobody knows what still works in a process that failed. */
const FAILED_CLOSE_MS = 5_000;
/** 128 + SIGINT, as in shells. */
const INTERRUPTED = 130;

/** Runs until SIGINT, SIGTERM or an uncaught error. A second signal ends the process at once. */
export async function runProcess({ start, stopping }: RunOptions): Promise<never> {
  const log = createLog('error');
  const ended = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  let code = 0;
  let asked = false;

  const ask = () => {
    if (asked) process.exit(INTERRUPTED);
    asked = true;
    ended.resolve();
  };
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  process.on('SIGUSR2', turnLogLevel);
  // Also called for an unhandled rejection.
  process.on('uncaughtException', (error, origin) => {
    const first = code === 0;
    code = 1;
    if (first) setTimeout(() => process.exit(1), FAILED_CLOSE_MS);
    failed.resolve();
    ended.resolve();
    log.error({ err: error, origin }, 'the process ends: something failed that nobody waited for');
  });

  const starting = start();
  try {
    await Promise.race([starting, ended.promise]);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exit(1);
  }
  await ended.promise;
  stopping?.();
  const bound = (closeMs: number) =>
    setTimeout(() => {
      log.error({ closeMs }, 'the process ends: closing took too long');
      process.exit(1);
    }, closeMs);
  const usual = bound(CLOSE_MS);
  try {
    const running = await starting.catch(() => undefined);
    clearTimeout(usual);
    // The operator chooses how long this takes.
    await Promise.race([running?.leave?.(), failed.promise]);
    bound(running?.closeMs ?? CLOSE_MS);
    await running?.close();
  } catch (error) {
    log.error({ err: error }, 'closing failed');
    code = 1;
  }
  process.exit(code);
}
