// Keeps a connection pool from waiting for a server that hangs. PostgreSQL enforces its own timeouts itself: a server that is stopped, or cut off by a broken
// line, enforces none of them.
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { type BreakerState, createBreaker } from './breaker.ts';
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { traceStatements } from './traced-client.ts';
import { inThisTrace } from './tracing.ts';

/** Milliseconds to wait for a connection, a new one or one in use. */
export const POOL_WAIT_MS = 1_000;
/** Spec is silent: a query that takes longer is a bug or an attack. */
export const STATEMENT_TIMEOUT_MS = 5_000;
/** A server that has sent nothing for so long during a statement does not enforce its own limit: the connection is ended. */
export const SILENT_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** How long a server may take to close a connection. */
const FAREWELL_MS = 1_000;

/** How long a caller has to release a connection that has ended; after that it never will. */
const LEFT_MS = 500;

/** A server that refuses connections does so at once; the breaker is only for one that hangs, and tries again soon. */
const BREAKER = { failures: 3, restMs: 1_000 };

/** Members of the driver's connection that its types leave out. */
interface DriverConnection {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * The pool did not try to connect. This is no Failure, because the ORM wraps what a pool throws in its own exception and keeps only the members. 08001: the
 * connection could not be made (PostgreSQL, appendix A).
 */
export class NoConnection extends Error {
  readonly code = '08001';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('no connection is asked for: the database does not answer');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface GuardOptions {
  /** The pool's name in the log. */
  name: string;
  log: Log;
  /** No limit on silence: statements of audits and of other operator's commands may take long. */
  patient?: boolean;
}

/** Ends connections whose server is silent, and refuses at once (`NoConnection`) while no connection can be made and none is idle. */
export function guardPool(pool: Pool, { name, log, patient = false }: GuardOptions): void {
  const breaker = createBreaker({ ...BREAKER, clock: systemClock, changed: (state) => logState(log, name, state) });
  const open = new Set<DriverConnection>();
  pool.on('connect', (client) => {
    const driver = client as unknown as DriverConnection;
    const { stream } = driver.connection;
    open.add(driver);
    traceStatements(client, name);
    client.once('end', () => {
      open.delete(driver);
      // A transaction whose rollback fails because the connection is gone never releases the connection: the pool would lose that place for good.
      setTimeout(() => {
        if (!(pool as unknown as { _clients: unknown[] })._clients.includes(client)) return;
        client.release(true);
        // A later release does no harm.
        client.release = () => {};
      }, LEFT_MS).unref();
    });
    const end = client.end.bind(client) as (callback?: () => void) => Promise<void>;
    // A server that hangs does not answer the message that ends a connection either.
    client.end = ((callback?: () => void) => {
      open.delete(driver);
      stream.setTimeout(FAREWELL_MS, () => stream.destroy());
      return end(callback);
    }) as typeof client.end;
    if (patient) return;
    stream.setTimeout(SILENT_MS, () => {
      if (driver.readyForQuery || !open.has(driver)) return;
      breaker.failed();
      // Idle connections to the same server are ended too: whoever got one would wait as long.
      const silent = [driver, ...[...open].filter(({ readyForQuery }) => readyForQuery)];
      for (const { connection } of silent)
        connection.stream.destroy(new Error('Connection terminated: the server was silent for too long'));
    });
  });
  const connect = pool.connect.bind(pool) as (callback: Callback) => void;
  const guarded = (asked: Callback): void => {
    // The callback may run in the context of whoever releases a connection, so it is bound to the caller's trace.
    const callback = inThisTrace(asked);
    const free = pool.idleCount > 0;
    if (!free && !breaker.admits()) return callback(new NoConnection(breaker.retryAfterSeconds()), undefined, () => {});
    connect((error, client, done) => {
      // A connection that was idle shows only in use whether it works. A caller who waited in vain for one in use says nothing about the server.
      if (error) {
        if (error.message.startsWith('Connection terminated')) breaker.failed();
        else if (breaker.state === 'half-open') breaker.failed();
      } else if (!free) breaker.succeeded();
      callback(error, client, done);
    });
  };
  pool.connect = ((callback?: Callback) =>
    callback
      ? guarded(callback)
      : new Promise((resolve, reject) => {
          guarded((error, client) => (error ? reject(error) : resolve(client as PoolClient)));
        })) as Pool['connect'];
}

function logState(log: Log, name: string, state: BreakerState): void {
  if (state === 'open') log.error({ pool: name }, 'the database does not answer');
  else if (state === 'closed') log.warn({ pool: name }, 'the database answers again');
}
