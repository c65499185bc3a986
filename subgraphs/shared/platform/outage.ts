// Whether an error says that a part which everything needs is away, full or hung, which is nobody's bug: the same request may succeed in a moment.
import { TooLate } from './in-time.ts';
import type { Log } from './log.ts';

/**
 * SQLSTATE classes and codes (PostgreSQL, appendix A): connections (08), resources such as a full disk or too many connections (53), a server that stops or starts
 * (57P), a statement that took too long (57014), a server that only reads (25006), input and output (58).
 */
const SQLSTATES = /^(08...|53...|57P..|57014|25006|58030)$/;

/** What the system says of a connection that could not be made, or broke. */
const SYSTEM_CODES: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  // A socket of the embedded server, after that has gone.
  'ENOENT',
]);

/** `pg` gives these no code. */
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

/** Whole seconds after which asking again makes sense: what the error says of it, or one. */
export function secondsUntilRetry(error: unknown): number {
  const { retryAfterSeconds } = error as { retryAfterSeconds?: unknown };
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds : 1;
}

const NOTIFY_EVERY_MS = 5_000;
const notified = new WeakMap<Log, { at: number; since: number }>();

/** Notifies the operator, once in five seconds: during an outage every request would say the same. */
export function notifyOutage(log: Log, error: unknown, fields: object = {}): void {
  const now = performance.now();
  const last = notified.get(log);
  if (last && now - last.at < NOTIFY_EVERY_MS) return void last.since++;
  notified.set(log, { at: now, since: 0 });
  log.error({ ...fields, err: error, unsaid: last?.since ?? 0 }, 'a part that everything needs is away');
}
