// Restarts the embedded PostgreSQL when it has died, for example by the out-of-memory killer or a full disk.
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { SECOND } from './clock.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import type { Log } from './log.ts';

/** The pause doubles after each failure in a row, from `first` up to `max`. A server that ran for `stood` starts again without the pause. */
const DELAY_MS = { first: SECOND / 4, max: 15 * SECOND, stood: 30 * SECOND };

/** Holds a connection and resolves when it ends; at once when none can be made. */
async function untilGone(url: string, signal: AbortSignal): Promise<void> {
  const client = new Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5 * SECOND,
    application_name: 'egress-watch',
  });
  const gone = new Promise<void>((resolve) => client.once('end', resolve));
  client.on('error', () => {});
  const leave = () => void client.end().catch(() => {});
  try {
    await client.connect();
  } catch {
    return leave();
  }
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  await gone;
  signal.removeEventListener('abort', leave);
}

/** Watches until it is stopped; `stop` waits for a start in progress. */
export function watchEmbeddedPostgres(postgres: EmbeddedPostgres, log: Log, delays = DELAY_MS): { stop(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const wait = (ms: number) => pause(ms, undefined, { signal }).catch(() => {});

  async function watch(): Promise<void> {
    for (let delay = 0; !signal.aborted;) {
      const since = performance.now();
      await untilGone(postgres.url, signal);
      if (signal.aborted) return;
      if (performance.now() - since > delays.stood) delay = 0;
      await wait(delay);
      delay = Math.min(delays.max, 2 * delay || delays.first);
      if (signal.aborted) return;
      try {
        await postgres.revive();
        log.warn('the embedded PostgreSQL had gone and was started again');
      } catch (error) {
        log.error({ err: error }, 'the embedded PostgreSQL has gone and cannot be started');
      }
    }
  }
  const watching = watch();
  return {
    stop() {
      ending.abort();
      return watching;
    },
  };
}
