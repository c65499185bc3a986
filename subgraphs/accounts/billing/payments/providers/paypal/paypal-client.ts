// PayPal's REST API over HTTP: a token for hours, then JSON. https://developer.paypal.com/api/rest/
import { z } from 'zod';
import { type Clock, MINUTE, SECOND, after } from '#platform/clock.ts';
import type { PayPalTerms } from './configuration.ts';

/** Of one try; with a token before it, a person has the answer before the connection is given up. */
const TIMEOUT_MS = 4.5 * SECOND;

/** It did not answer, or could not, or does not know us: nobody knows whether anything happened, and who buys can do nothing about it. */
export class PayPalTrouble extends Error {
  /** Of its answer; undefined: there was none. */
  status: number | undefined;
}

/** It says no. `issue`: the first of its details, as INSTRUMENT_DECLINED; else the name of the error. */
export class PayPalRefusal extends Error {
  readonly status: number;
  readonly issue: string;

  constructor(status: number, issue: string, message: string) {
    super(message);
    this.status = status;
    this.issue = issue;
  }
}

/** There is no such thing, or none any more. */
export const isMissing = (error: unknown): boolean => error instanceof PayPalRefusal && error.status === 404;

export interface PayPalRequest {
  /** Sent as JSON, a form as it is. */
  body?: object | FormData;
  /** PayPal-Request-Id: the same one does it once, for as long as PayPal keeps it. At most 108 characters. */
  requestId?: string;
}

export interface PayPalClient {
  /** Throws PayPalTrouble and PayPalRefusal. Undefined: an answer without a body. */
  call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, request?: PayPalRequest): Promise<unknown>;
  /** What stands at an address that needs no token; undefined: nothing. Throws PayPalTrouble. */
  text(address: string): Promise<string | undefined>;
}

const tokenShape = z.object({ access_token: z.string().min(1), expires_in: z.number() });
const problemShape = z.object({
  name: z.string().optional(),
  error: z.string().optional(),
  message: z.string().optional(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional(), description: z.string().optional() })).nullish(),
});

interface Answer {
  ok: boolean;
  status: number;
  text: string;
}

export function createPayPalClient(terms: PayPalTerms, clock: Clock): PayPalClient {
  const { url, clientId, clientSecret, timeoutMs = TIMEOUT_MS } = terms;
  let token: { value: Promise<string>; until: Date } | undefined;

  async function send(address: string, init: RequestInit): Promise<Answer> {
    try {
      const response = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
      return { ok: response.ok, status: response.status, text: await response.text() };
    } catch (cause) {
      throw new PayPalTrouble(`${init.method} ${new URL(address).pathname}: ${String(cause)}`, { cause });
    }
  }

  async function grant(): Promise<string> {
    const answer = await send(`${url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    if (!answer.ok) throw new PayPalTrouble(`PayPal gives no token: ${answer.status} ${answer.text.slice(0, 200)}`);
    const { access_token: value, expires_in: seconds } = tokenShape.parse(JSON.parse(answer.text));
    if (token) token.until = after(clock.now(), seconds * SECOND - MINUTE);
    return value;
  }

  /** Many who ask at once wait for one token. */
  function authorize(): Promise<string> {
    if (!token || token.until <= clock.now()) {
      const value = grant();
      const mine = (token = { value, until: after(clock.now(), MINUTE) });
      value.catch(() => {
        if (token === mine) token = undefined;
      });
    }
    return token.value;
  }

  async function ask(method: string, path: string, { body, requestId }: PayPalRequest): Promise<Answer> {
    const isForm = body instanceof FormData;
    return send(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await authorize()}`,
        accept: 'application/json',
        // Without it only the id and the status come back.
        prefer: 'return=representation',
        ...(!isForm && method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
        ...(requestId !== undefined && { 'paypal-request-id': requestId }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
  }

  return {
    async call(method, path, request = {}) {
      let answer = await ask(method, path, request);
      if (answer.status === 401) {
        // Taken back before its time.
        token = undefined;
        answer = await ask(method, path, request);
      }
      if (answer.ok) return answer.text === '' ? undefined : JSON.parse(answer.text);
      throw refusalOf(`${method} ${path}`, answer);
    },
    async text(address) {
      const answer = await send(address, { method: 'GET' });
      if (answer.status >= 500 || answer.status === 429) throw new PayPalTrouble(`${address}: ${answer.status}`);
      return answer.ok ? answer.text : undefined;
    },
  };
}

/** 409: the same request is being worked on, so nobody knows yet. */
const isTrouble = (status: number): boolean => status >= 500 || [401, 403, 409, 429].includes(status);

function refusalOf(target: string, { status, text }: Answer): PayPalTrouble | PayPalRefusal {
  const said = `PayPal answers ${status} to ${target}: ${text.slice(0, 400)}`;
  if (isTrouble(status)) return Object.assign(new PayPalTrouble(said), { status });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return new PayPalTrouble(said);
  }
  const { data } = problemShape.safeParse(body);
  return new PayPalRefusal(status, data?.details?.[0]?.issue ?? data?.name ?? data?.error ?? '', said);
}
