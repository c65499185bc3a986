// Sends messages to the addresses that customers, or their browsers, have named. A name is resolved once, all its addresses are judged, and a judged address is the one that is
// dialled, so that the name cannot point elsewhere in between. No redirect is followed. A slow receiver delays only its own delivery, by a few seconds.
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SECOND } from '#platform/clock.ts';
import { ForbiddenAddress, type OutsideRules, createOutsideGuard } from '#platform/outside-address.ts';
import type { Outcome } from '../domain/delivery.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';

export interface Message {
  url: string;
  /** `content-type` too, where it is not JSON. */
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

export interface Receipt {
  outcome: Outcome;
  /** The HTTP status; null: there was no answer. */
  status: number | null;
  /** Milliseconds. */
  durationMs: number;
  /** The beginning of the answer, or what went wrong. */
  said: string;
  /** The value of Retry-After. */
  retryAfter?: string;
}

export interface Receivers {
  /** Whether end points may be outside the public internet, and speak http. */
  readonly insecure: boolean;
  /** Never rejects: a failure is returned as a receipt. */
  deliver(message: Message): Promise<Receipt>;
}

export interface ReceiverRules extends OutsideRules {
  brand: string;
  /** The limit for one delivery, from the start of the name's resolution. */
  timeoutMs?: number;
}

/** The specification asks for 15 to 30 s. */
const TIMEOUT_MS = WEBHOOKS.answerSeconds * SECOND;
/** How much of an answer the dashboard shows; the rest is not read. */
const MAX_SAID_LENGTH = 1_000;
export function createReceivers(rules: ReceiverRules): Receivers {
  const { privateNetworks, brand, timeoutMs = TIMEOUT_MS } = rules;
  const lookupOf = createOutsideGuard(rules);
  const agentName = `${brand.replaceAll(/[^\w-]+/g, '-')}-Webhooks/1`;

  async function send({ url: text, headers, body }: Message, signal: AbortSignal): Promise<Omit<Receipt, 'durationMs'>> {
    const url = new URL(text);
    const lookup = await lookupOf(url);
    const response = await post(url, body, {
      signal,
      // No connection is reused: the address may have to be judged anew.
      agent: false,
      lookup,
      headers: {
        'content-type': 'application/json',
        ...headers,
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': agentName,
      },
    });
    const status = response.statusCode ?? 0;
    const retryAfter = response.headers['retry-after'];
    const said = await beginningOf(response);
    return {
      outcome: status >= 200 && status < 300 ? 'DELIVERED' : 'REFUSED',
      status,
      said,
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }

  return {
    insecure: privateNetworks.length > 0,
    async deliver(message) {
      const started = performance.now();
      const took = () => Math.round(performance.now() - started);
      const signal = AbortSignal.timeout(timeoutMs);
      // The signal does not abort a resolution that waits for the name server.
      const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
      try {
        return { ...(await Promise.race([send(message, signal), late])), durationMs: took() };
      } catch (error) {
        return {
          outcome: error instanceof ForbiddenAddress ? 'FORBIDDEN' : 'NO_ANSWER',
          status: null,
          durationMs: took(),
          said: signal.aborted ? `No answer within ${timeoutMs / SECOND} s.` : String((error as Error).message).slice(0, MAX_SAID_LENGTH),
        };
      }
    },
  };
}

function post(url: URL, body: string | Buffer, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  open(url, { ...options, method: 'POST' }, resolve)
    .on('error', reject)
    .end(body);
  return promise;
}

/** Reads the beginning of an answer. Only the status decides: a body that never ends or breaks off does not change the outcome. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  let length = 0;
  response.on('data', (part: Buffer) => {
    parts.push(part);
    if ((length += part.length) >= MAX_SAID_LENGTH) resolve();
  });
  response.once('close', resolve).once('error', () => resolve());
  const timer = setTimeout(resolve, SECOND);
  await promise;
  clearTimeout(timer);
  response.on('error', () => {}).destroy();
  // PostgreSQL stores no zero byte.
  return Buffer.concat(parts).toString('utf8').slice(0, MAX_SAID_LENGTH).replaceAll('\0', '');
}
