// Tells outages from bugs: whether an error means that something that everything depends on is down, full or hung. The same request may succeed in a moment.
import { TooLate } from './in-time.ts';
import type { Log } from './log.ts';

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A): connections (08), resources such as a full disk or too many connections (53), a server that stops or
 * starts (57P), a statement that took too long (57014), a read-only server (25006), input and output (58).
 */
const SQLSTATES = /^(08...|53...|57P..|57014|25006|58030)$/;

/** The system's codes for a connection that could not be made, or broke. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // The socket of an embedded server that is gone.
  'ENOENT',
]);

/** Errors to which `pg` gives no code. */
const DRIVER_SENTENCES =
  /(timeout exceeded when trying to connect|Connection terminated|Query read timeout|has encountered a connection error|was closed and is not queryable)/;

export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof TooLate) return true;
  const { code, syscall, cause } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && SQLSTATES.test(code)) return true;
  if (SYSTEM_CODES.has(code)) return code !== 'ENOENT' || syscall === 'connect';
  return DRIVER_SENTENCES.test(error.message) || (cause !== undefined && isOutage(cause));
}

/** Whole seconds after which a retry makes sense: those of the error, or one. */
export function secondsUntilRetry(error: unknown): number {
  const { retryAfterSeconds } = error as { retryAfterSeconds?: unknown };
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 1;
}

const NOTIFY_EVERY_MS = 5_000;
const notified = new WeakMap<Log, { at: number; since: number }>();

/** Logs an outage, at most once in five seconds: during an outage every request would log the same. */
export function notifyOutage(log: Log, error: unknown, fields: object = {}): void {
  const now = performance.now();
  const last = notified.get(log);
  if (last && now - last.at < NOTIFY_EVERY_MS) return void last.since++;
  notified.set(log, { at: now, since: 0 });
  log.error({ ...fields, err: error, unsaid: last?.since ?? 0 }, 'a part that everything needs is away');
}
