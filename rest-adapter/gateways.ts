// The gateways that an adapter asks: in turn, and those last that were away or stopping a moment ago.
import { Pool } from 'undici';
import { SECOND } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { saysReady } from '#platform/readiness.ts';
import { traceHeaders } from '#platform/tracing.ts';

const CONNECTIONS = 64;
const CONNECT_MS = 2 * SECOND;
/** As long as the slowest statement may take, twice. */
const TIMEOUT_MS = 10 * SECOND;
/** One that could not be asked comes last for so long. */
const AVOIDED_MS = 2 * SECOND;
/** All are looked at within the time of one check of readiness. */
const LOOK_MS = 0.7 * SECOND;

interface Gateway {
  url: string;
  pool: Pool;
  /** Monotonic. */
  avoidedUntil: number;
}

export interface GatewayAsk {
  path: string;
  body: string;
  /** Made for each time that it is sent. */
  headers(): Record<string, string>;
  /** Asked twice it does what it does once: it goes to the next gateway also when nobody knows what became of it. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** What became of an ask at one gateway: answered, not even sent, or sent to one that stops or broke off. */
type Outcome = { status: number; answer: unknown } | 'unsent' | 'stopping' | 'silent';

/** Of the errors of a connection that never came about: not a byte was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'ENOTFOUND', 'EAI_AGAIN']);

export class Gateways {
  readonly #gateways: readonly Gateway[];
  #turn = 0;
  #looking: Promise<number> | undefined;
  /** How many said that they are ready, when they were looked at last. */
  ready = 0;

  /** `urls`: their addresses, for example http://gateway-1:4000. */
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

  /** The JSON of an answer with 200. Throws `overloaded` when none of them answers, an Error for a refusal, the signal's reason once that aborts. */
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

  /** How many say that they are ready. */
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
      // One that stops answers, and keeps no connection.
      const stops = answer.headers['connection'] === 'close';
      if (stops) gateway.avoidedUntil = performance.now() + AVOIDED_MS;
      if (answer.statusCode === 200) return { status: 200, answer: await answer.body.json() };
      await answer.body.dump();
      return answer.statusCode === 503 && stops ? 'stopping' : { status: answer.statusCode, answer: undefined };
    } catch (error) {
      const { code = '', syscall } = error as NodeJS.ErrnoException;
      if (syscall === 'connect' || UNSENT.has(code)) return 'unsent';
      // It closed, or was killed, before it had answered; who only says nothing would let us wait as long once more.
      return timeOut.aborted || code.endsWith('_TIMEOUT') ? 'silent' : 'stopping';
    }
  }
}
