// One call of the API: the key, the address, repetition where the API asks to wait, and the envelope taken off.
import { EgressRefusal, EgressUnreachable } from './errors.ts';
import type { ErrorMeta } from './words/error-codes.ts';

export interface ClientOptions {
  /** Where the platform is, for example https://proxies.example. */
  url: string;
  /** The API key, as support has issued it. */
  key: string;
  /** How often a call is repeated at most, after 429, 503 or, where it only reads or has an idempotency key, no answer. Default: 3. */
  retries?: number;
  /** Seconds that a call waits at most before it is repeated: if the API asks for more, it fails at once. Default: 60. */
  maxWaitSeconds?: number;
  /** Milliseconds after which an answer is not waited for any more. Default: 30,000. */
  timeoutMs?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch;
  /** Instead of a timer: resolves after so many milliseconds. */
  sleep?: (ms: number) => Promise<void>;
}

export interface CallOptions {
  /** Ends the call, also while it waits. */
  signal?: AbortSignal;
  /**
   * Of a call that begins something: with the same key, 8 to 255 characters, and the same input it takes effect once within a day, however often it is made.
   * Otherwise the client makes one up, with which it repeats the call itself.
   */
  idempotencyKey?: string;
}

export interface Address {
  method: string;
  /** With `{name}` for each input that is a part of it. */
  path: string;
  /** It takes an idempotency key. */
  idempotent?: true;
}

/** Resolves to the `data` of the answer. Rejects with EgressRefusal, EgressUnreachable, or the reason of `signal`. */
export type Call = <Data>(address: Address, input: object, options?: CallOptions) => Promise<Data>;

interface Envelope {
  success: boolean;
  message: string;
  data: unknown;
  meta: ErrorMeta;
}

export function createCall({ url, key, retries = 3, maxWaitSeconds = 60, timeoutMs = 30_000, ...outside }: ClientOptions): Call {
  const { fetch: send = fetch, sleep = (ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)) } = outside;
  const root = url.replace(/\/+$/, '');

  return async (address, input, { signal, idempotencyKey = crypto.randomUUID() } = {}) => {
    const { path, init } = requestOf(address, input, { key, idempotencyKey });
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      const answer = await send(root + path, {
        ...init,
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      })
        .then(readAnswer)
        .catch((error: unknown) => (signal?.aborted ? Promise.reject(signal.reason) : unreachable(url, error)));
      if (!(answer instanceof Error)) return answer.data as never;
      const wait = waitOf(answer, address, tries);
      if (wait === undefined || tries >= retries || wait > maxWaitSeconds) throw answer;
      await unlessAborted(sleep(wait * 1_000), signal);
    }
  };
}

/** What is in the path goes there, the rest into the query, or into the body of a call that changes something. */
function requestOf({ method, path, idempotent }: Address, input: object, { key, idempotencyKey }: { key: string; idempotencyKey: string }) {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const inPath = given.filter(([name]) => path.includes(`{${name}}`));
  const rest = given.filter((one) => !inPath.includes(one));
  let full = path;
  for (const [name, value] of inPath) full = full.replace(`{${name}}`, encodeURIComponent(String(value)));
  const query =
    method === 'GET' && rest.length > 0 ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString()}` : '';
  const body = method === 'GET' || rest.length === 0 ? undefined : JSON.stringify(Object.fromEntries(rest));
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    ...(idempotent && { 'idempotency-key': idempotencyKey }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return { path: full + query, init: { method, headers, ...(body !== undefined && { body }) } };
}

/** The envelope; an Error for one of a refusal, or for an answer that is none of the API. */
async function readAnswer(response: Response): Promise<{ data: unknown } | Error> {
  const text = await response.text();
  let envelope: Partial<Envelope> | undefined;
  try {
    envelope = JSON.parse(text) as Partial<Envelope>;
  } catch {
    envelope = undefined;
  }
  if (envelope?.success === true) return { data: envelope.data };
  if (envelope?.meta?.code === undefined)
    return new EgressUnreachable(`${response.status} without an answer of the API: ${text.slice(0, 200)}`);
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const meta = { ...envelope.meta, ...(Number.isFinite(after) && { retry_after_seconds: after }) };
  return new EgressRefusal(response.status, envelope.message ?? meta.code, meta);
}

const unreachable = (url: string, error: unknown): Error =>
  new EgressUnreachable(`${url} does not answer: ${causeOf(error)}`, { cause: error });

const causeOf = (error: unknown): string => {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

/**
 * Seconds to wait before the same call is made again; undefined: it is not. 429 and 503 say that nothing was done. After no answer, or a fault, nobody knows
 * whether something was: then only a call that reads is made again, or one that has an idempotency key.
 */
function waitOf(answer: Error, { method, idempotent }: Address, tries: number): number | undefined {
  const repeatable = method === 'GET' || idempotent === true;
  const backOff = 0.5 * 2 ** tries;
  if (!(answer instanceof EgressRefusal)) return repeatable ? backOff : undefined;
  if (answer.status === 429 || answer.status === 503) return answer.meta.retry_after_seconds ?? backOff;
  return answer.status === 500 && repeatable ? backOff : undefined;
}

async function unlessAborted(waiting: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return waiting;
  signal.throwIfAborted();
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([waiting, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
