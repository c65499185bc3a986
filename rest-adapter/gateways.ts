// The gateways that an adapter calls, in turn. Those that did not answer or were stopping a moment ago come last.
import { Pool } from 'undici';
import { SECOND } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { saysReady } from '#platform/readiness.ts';
import { traceHeaders } from '#platform/tracing.ts';

const CONNECTIONS = 64;
const CONNECT_MS = 2 * SECOND;
/** Twice the time that the slowest database statement may take. */
const TIMEOUT_MS = 10 * SECOND;
/** How long a gateway that could not be reached comes last. */
const AVOIDED_MS = 2 * SECOND;
/** Shorter than one check of readiness, so that all gateways are checked within it. */
const LOOK_MS = 0.7 * SECOND;

interface Gateway {
  url: string;
  pool: Pool;
  /** A time of performance.now(). */
  avoidedUntil: number;
}

export interface GatewayAsk {
  path: string;
  body: string;
  /** Called for each attempt, since a signature is valid only once. */
  headers(): Record<string, string>;
  /** Whether two executions have the same effect as one: such a request is sent to the next gateway even when it may have been executed already. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** The result at one gateway: an answer; `unsent`: there was no connection; `stopping`: the gateway stops or closed the connection; `silent`: no answer in time. */
type Outcome = { status: number; answer: unknown } | 'unsent' | 'stopping' | 'silent';

/** Codes of errors that occur before a connection exists, so that nothing was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN']);

export class Gateways {
  readonly #gateways: readonly Gateway[];
  #turn = 0;
  #looking: Promise<number> | undefined;
  /** How many gateways were ready at the last check. */
  ready = 0;

  /** `urls`: the addresses of the gateways, for example http://gateway-1:4000. */
  constructor(urls: readonly string[]) {
    this.#gateways = urls.map((url) => ({
      url,
      pool: new Pool(url, {
        connections: CONNECTIONS,
        headersTimeout: TIMEOUT_MS,
        bodyTimeout: TIMEOUT_MS,
        connect: { timeout: CONNECT_MS },
      }),
      avoidedUntil: -Infinity,
    }));
  }

  get count(): number {
    return this.#gateways.length;
  }

  /** The JSON of an answer with status 200. Throws `overloaded` when no gateway answers, an Error for any other status, and the signal's reason when it aborts. */
  async ask(ask: GatewayAsk): Promise<unknown> {
    for (const gateway of this.#inOrder()) {
      const outcome = await this.#askOne(gateway, ask);
      ask.signal?.throwIfAborted();
      if (typeof outcome === 'object') {
        if (outcome.status === 200) return outcome.answer;
        if (outcome.status !== 503) throw new Error(`the gateway answered ${outcome.status} to ${ask.path}`);
        break;
      }
      gateway.avoidedUntil = performance.now() + AVOIDED_MS;
      if (outcome === 'silent' || (outcome === 'stopping' && !ask.repeatable)) break;
    }
    throw fail('overloaded', { retry_after_seconds: 1 });
  }

  /** Checks all gateways; resolves to the number that are ready. */
  look(): Promise<number> {
    this.#looking ??= Promise.all(this.#gateways.map(({ url }) => saysReady(url, LOOK_MS).catch(() => false))).then((all) => {
      this.#looking = undefined;
      return (this.ready = all.filter(Boolean).length);
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    await Promise.all(this.#gateways.map(({ pool }) => pool.close()));
  }

  #inOrder(): Gateway[] {
    const now = performance.now();
    const turn = this.#turn++ % this.#gateways.length;
    const turned = [...this.#gateways.slice(turn), ...this.#gateways.slice(0, turn)];
    return turned.toSorted((one, other) => Number(one.avoidedUntil > now) - Number(other.avoidedUntil > now));
  }

  async #askOne(gateway: Gateway, { path, body, headers, signal }: GatewayAsk): Promise<Outcome> {
    const timeOut = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const answer = await gateway.pool.request({
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...traceHeaders(), ...headers() },
        body,
        signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut,
      });
      // A gateway that stops still answers, but closes the connection.
      const stops = answer.headers['connection'] === 'close';
      if (stops) gateway.avoidedUntil = performance.now() + AVOIDED_MS;
      if (answer.statusCode === 200) return { status: 200, answer: await answer.body.json() };
      await answer.body.dump();
      return answer.statusCode === 503 && stops ? 'stopping' : { status: answer.statusCode, answer: undefined };
    } catch (error) {
      const { code = '', syscall } = error as NodeJS.ErrnoException;
      if (syscall === 'connect' || UNSENT.has(code)) return 'unsent';
      // The gateway closed the connection or was killed before it answered: the next one may be tried. After a timeout it is not, since that could wait as long again.
      return timeOut.aborted || code.endsWith('_TIMEOUT') ? 'silent' : 'stopping';
    }
  }
}
