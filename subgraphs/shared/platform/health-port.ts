// A separate port for monitoring this process, served by a separate thread: the main thread may be busy for seconds without being broken.
import { Worker } from 'node:worker_threads';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Readiness } from './readiness.ts';
import { StartFailure } from './start-failure.ts';

/** The data with which the thread starts. */
export interface HealthOrders {
  port: number;
  host: string;
  /** One counter that grows while the event loop of the main thread runs. */
  beat: SharedArrayBuffer;
}
export type ToHealth = { readiness: Readiness } | { metrics: string | null; type: string; id: number };
export type FromHealth = { listening: number } | { failed: string; code: string | undefined } | { metrics: number };

const BEAT_MS = 500;
/** How often readiness is checked; each check writes to the database once. */
const LOOK_MS = 2_000;

export interface HealthPort {
  url: string;
  /** Checks readiness now, and reports the result from then on. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface HealthPortOptions {
  config: Pick<Config, 'HEALTH_PORT' | 'HEALTH_HOST' | 'NODE_ENV' | 'PORT'>;
  metrics: Pick<Metrics, 'registry'>;
  log: Log;
}

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` on HEALTH_PORT. Undefined when there is no such port: in tests, with PORT 0, or, with a warning, when
 * the default port is taken. Throws a StartFailure when a port that was set cannot be listened on.
 */
export async function openHealthPort(
  { config, metrics, log }: HealthPortOptions,
  readiness: () => Promise<Readiness>,
): Promise<HealthPort | undefined> {
  const port = config.HEALTH_PORT ?? (config.NODE_ENV === 'test' || config.PORT === 0 ? undefined : config.PORT + 9);
  if (port === undefined) return undefined;
  const beat = new SharedArrayBuffer(4);
  const beats = new Int32Array(beat);
  const orders: HealthOrders = { port, host: config.HEALTH_HOST, beat };
  const thread = new Worker(new URL('health-thread.ts', import.meta.url), { workerData: orders });
  thread.unref();
  const post = (message: ToHealth) => thread.postMessage(message);
  const started = Promise.withResolvers<number | { failed: string; code: string | undefined }>();
  thread.on('error', (error: Error) => {
    started.resolve({ failed: error.message, code: undefined });
    log.error({ err: error }, 'the thread of the health port failed');
  });
  thread.on('message', (message: FromHealth) => {
    if ('listening' in message) started.resolve(message.listening);
    else if ('failed' in message) started.resolve(message);
    else
      void metrics.registry.metrics().then(
        (text) => post({ metrics: text, type: metrics.registry.contentType, id: message.metrics }),
        () => post({ metrics: null, type: '', id: message.metrics }),
      );
  });
  const outcome = await started.promise;
  if (typeof outcome !== 'number') {
    await thread.terminate();
    if (config.HEALTH_PORT !== undefined)
      throw new StartFailure(
        `The health port ${config.HEALTH_HOST}:${port} cannot be listened on (${outcome.code ?? outcome.failed}). Choose another HEALTH_PORT.`,
      );
    log.warn({ port, code: outcome.code }, 'there is no health port: the default one is taken, choose one with HEALTH_PORT');
    return undefined;
  }
  const look = async () => post({ readiness: await readiness() });
  void look();
  const looks = setInterval(() => void look(), LOOK_MS).unref();
  const beating = setInterval(() => Atomics.add(beats, 0, 1), BEAT_MS).unref();
  const host = config.HEALTH_HOST.includes(':') ? `[${config.HEALTH_HOST}]` : config.HEALTH_HOST;
  return {
    url: `http://${host}:${outcome}`,
    look,
    async close() {
      clearInterval(looks);
      clearInterval(beating);
      await thread.terminate();
    },
  };
}
