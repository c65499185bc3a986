// Keeps a pool of connections from waiting for a server that hangs. PostgreSQL's own time-outs are the server's: one that is stopped, or cut off by a broken line, observes
// none of them.
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { type BreakerState, createBreaker } from './breaker.ts';
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import { traceStatements } from './traced-client.ts';
import { inThisTrace } from './tracing.ts';

/** Milliseconds that anybody waits for a connection, a new one or a used one. */
export const POOL_WAIT_MS = 1_000;
/** Spec is silent: a query that takes longer is a bug or an attack. */
export const STATEMENT_TIMEOUT_MS = 5_000;
/** A server that has not said a word to a statement for so long does not observe its own limit: the connection is ended. */
export const SILENT_MS = STATEMENT_TIMEOUT_MS + 1_000;

/** How long a server may take to let a connection go. */
const FAREWELL_MS = 1_000;

/** Whoever holds a connection that has ended gives it back at once, or never. */
const LEFT_MS = 500;

/** Servers that refuse do so at once; only those that hang need a breaker, and are looked at again soon. */
const BREAKER = { failures: 3, restMs: 1_000 };

/** What the driver knows of a connection, and leaves out of its types. */
interface DriverConnection {
  connection: { stream: Socket };
  readyForQuery: boolean;
}

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void;

/**
 * The server is not asked for a connection. Not a Failure: the ORM makes an exception of its own of what a pool throws, and keeps nothing but its members.
 * 08001: the connection could not be made (PostgreSQL, appendix A).
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
  /** Whose pool, for the log. */
  name: string;
  log: Log;
  /** Statements may take as long as they like: audits and other commands of an operator. */
  patient?: boolean;
}

/** Ends connections that say nothing, and refuses at once (`overloaded`) while none can be made and none is free. */
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
      // A transaction whose rollback fails, since its connection has gone, never gives the connection back: its place in the pool would be lost for good.
      setTimeout(() => {
        if (!(pool as unknown as { _clients: unknown[] })._clients.includes(client)) return;
        client.release(true);
        // Whoever gives it back all the same does no harm.
        client.release = () => {};
      }, LEFT_MS).unref();
    });
    const end = client.end.bind(client) as (callback?: () => void) => Promise<void>;
    // A server that hangs does not answer a farewell either.
    client.end = ((callback?: () => void) => {
      open.delete(driver);
      stream.setTimeout(FAREWELL_MS, () => stream.destroy());
      return end(callback);
    }) as typeof client.end;
    if (patient) return;
    stream.setTimeout(SILENT_MS, () => {
      if (driver.readyForQuery || !open.has(driver)) return;
      breaker.failed();
      // The others have not been asked yet: whoever would be given one would wait as long.
      const silent = [driver, ...[...open].filter(({ readyForQuery }) => readyForQuery)];
      for (const { connection } of silent)
        connection.stream.destroy(new Error('Connection terminated: the server was silent for too long'));
    });
  });
  const connect = pool.connect.bind(pool) as (callback: Callback) => void;
  const guarded = (asked: Callback): void => {
    // A connection is given by whoever lets it go.
    const callback = inThisTrace(asked);
    const free = pool.idleCount > 0;
    if (!free && !breaker.admits()) return callback(new NoConnection(breaker.retryAfterSeconds()), undefined, () => {});
    connect((error, client, done) => {
      // Whether a used connection works shows when it is asked; who waited in vain for one says nothing about the server.
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
