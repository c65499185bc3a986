// Requests to an ACME server, signed by an account: RFC 8555, 6. A nonce that the server refuses is replaced by that of its answer, and the request repeated.
import { Agent, type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { SECOND } from '#platform/clock.ts';
import { retryAfterMs } from '#platform/retry-after.ts';
import { PROGRAM_VERSION } from '#platform/program-version.ts';
import type { AccountKey } from './account-key.ts';

const DIRECTORY = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  /** RFC 9773, 4. */
  renewalInfo: z.url().optional(),
  meta: z.object({ externalAccountRequired: z.boolean().optional(), termsOfService: z.string().optional() }).optional(),
});
export type Directory = z.infer<typeof DIRECTORY>;

export interface Answer {
  status: number;
  text: string;
  location: string | undefined;
  /** How long the server asks to wait before the next request about the same; undefined: it says nothing. */
  retryAfterMs: number | undefined;
}

/** What the server says is wrong. RFC 7807 and RFC 8555, 6.7. */
export class AcmeProblem extends Error {
  /** Such as `rateLimited`. */
  readonly type: string;
  readonly retryAfterMs: number | undefined;

  constructor(type: string, detail: string, retryAfterMs?: number) {
    super(`${type}: ${detail}`);
    this.type = type;
    this.retryAfterMs = retryAfterMs;
  }
}

const ANSWER_MS = 30 * SECOND;
/** RFC 8555, 6.5: a client should retry, and is not to do so for ever. */
const NONCES = 12;
const MAX_BYTES = 262_144;

export interface SessionOptions {
  directoryUrl: string;
  key: AccountKey;
  /** PEM of the authorities that the server's own certificate is checked by; absent: those that are known to everybody. */
  ca?: string | undefined;
  now: () => Date;
  signal: AbortSignal;
}

export class AcmeSession {
  readonly key: AccountKey;
  readonly directory: Directory;
  readonly #options: SessionOptions;
  readonly #agent: Agent;
  #nonce: string | undefined;
  /** The account's URL, by which requests are signed from then on. */
  account: string | undefined;

  private constructor(options: SessionOptions, directory: Directory, agent: Agent) {
    this.#options = options;
    this.key = options.key;
    this.directory = directory;
    this.#agent = agent;
  }

  static async open(options: SessionOptions): Promise<AcmeSession> {
    const agent = new Agent({
      connect: { ...(options.ca !== undefined && { ca: options.ca }) },
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
    });
    const { statusCode, body } = await request(options.directoryUrl, { dispatcher: agent, signal: options.signal, headers: HEADERS });
    const text = await readText(body);
    if (statusCode !== 200) throw new AcmeProblem('directory', `${options.directoryUrl} answers ${statusCode}`);
    return new AcmeSession(options, DIRECTORY.parse(JSON.parse(text)), agent);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Rejects with an AcmeProblem where the server refuses. Without a payload: POST-as-GET. */
  async post(url: string, payload?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const nonce = this.#nonce ?? (await this.#newNonce());
      this.#nonce = undefined;
      const signer = this.account === undefined ? { jwk: this.key.jwk } : { kid: this.account };
      const answer = await this.#send('POST', url, JSON.stringify(this.key.sign({ ...signer, nonce, url }, payload)));
      if (answer.status < 400) return answer;
      const problem = problemOf(answer);
      if (problem.type !== 'badNonce' || tries === NONCES) throw problem;
    }
  }

  /** What everybody may read. Rejects with an AcmeProblem where the server refuses. */
  async get(url: string): Promise<Answer> {
    const answer = await this.#send('GET', url);
    if (answer.status >= 400) throw problemOf(answer);
    return answer;
  }

  async #newNonce(): Promise<string> {
    await this.#send('HEAD', this.directory.newNonce);
    if (this.#nonce === undefined) throw new AcmeProblem('nonce', 'the server gave none');
    return this.#nonce;
  }

  async #send(method: 'HEAD' | 'GET' | 'POST', url: string, content?: string): Promise<Answer> {
    const { signal, now } = this.#options;
    const headers = { ...HEADERS, ...(content !== undefined && { 'content-type': 'application/jose+json' }) };
    const answer = await request(url, { method, dispatcher: this.#agent, signal, headers, body: content ?? null });
    this.#nonce = textOf(answer.headers['replay-nonce']) ?? this.#nonce;
    return {
      status: answer.statusCode,
      text: await readText(answer.body),
      location: textOf(answer.headers['location']),
      retryAfterMs: retryAfterMs(textOf(answer.headers['retry-after']), now()),
    };
  }
}

const HEADERS = { 'user-agent': `egress-edge/${PROGRAM_VERSION}`, accept: 'application/json, application/pem-certificate-chain' };
const textOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MAX_BYTES) throw new AcmeProblem('answer', `more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const PROBLEM = z.object({ type: z.string().default('about:blank'), detail: z.string().default('') });
export const typeOf = (type: string): string => type.replace(/^urn:ietf:params:acme:error:/, '');

function problemOf({ status, text, retryAfterMs }: Answer): AcmeProblem {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = {};
  }
  const { data } = PROBLEM.safeParse(read);
  return new AcmeProblem(typeOf(data?.type ?? `status ${status}`), data?.detail || `the server answers ${status}`, retryAfterMs);
}
