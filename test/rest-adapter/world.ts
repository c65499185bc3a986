// The adapter as its callers see it: a URL, keys, plans. The test tables of this folder run against any World.
import { documentFaults } from './conformance.ts';

/** JSON whose shape the test asserts. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

export type KeyState = 'active' | 'expired' | 'revoked' | 'forbidden';

export interface World {
  url: string;
  /** A new key, with its own rate limit, of the account that owns `plans`; `forbidden` is of an account that may not use the API. */
  key(state?: KeyState): Promise<string>;
  /** A well-formed key that does not exist. */
  unknownKey: string;
  malformedKey: string;
  plans: {
    /** Premium, active; allows 30, 60, 120 and 240 minutes. */
    premium: string;
    /** Mobile; allows 30, 60 and 120 minutes. */
    mobile: string;
    expired: string;
    /** A plan of another account. */
    foreign: string;
  };
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: {
    statusCode?: number;
    success?: boolean;
    message?: string;
    data?: Loose;
    error?: null;
    meta?: {
      code: string;
      request_id: string;
      field?: string;
      allowed?: unknown[];
      retryable?: boolean;
      retry_after_seconds?: number;
      reason_code?: string;
    };
  };
}

/** One REST call. Checks what every answer must have. */
export async function call(world: Pick<World, 'url'>, path: string, key: string | undefined, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${world.url}${path}`, {
    ...init,
    headers: { ...init.headers, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
  });
  const text = await response.text();
  const answer: Answer = { status: response.status, headers: response.headers, text, body: text === '' ? {} : JSON.parse(text) };
  const method = init.method ?? 'GET';
  const wrong = [...faultsOf(answer, method), ...documentFaults(method, path, answer)];
  if (wrong.length > 0) throw new Error(`${method} ${path} answered ${response.status}: ${wrong.join('; ')}\n${text.slice(0, 500)}`);
  return answer;
}

/** How a response breaks the rules that the specification has for every response. Spec, Errors and Limits. */
function faultsOf({ status, headers, body }: Answer, method: string): string[] {
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string) => holds || wrong.push(sentence);
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    must(/^\d+$/.test(headers.get(name) ?? ''), `${name} is ${headers.get(name)}`);
  must(headers.get('ratelimit-limit') === '120', 'the limit is not 120');
  const reset = Number(headers.get('ratelimit-reset'));
  must(reset >= 0 && reset <= 60, `RateLimit-Reset is ${reset}`);
  must(headers.get('content-type') === 'application/json; charset=utf-8', `Content-Type is ${headers.get('content-type')}`);
  must(headers.get('cache-control') === 'no-store', `Cache-Control is ${headers.get('cache-control')}`);
  const requestId = headers.get('x-request-id') ?? '';
  must(requestId.startsWith('req_'), `X-Request-Id is ${requestId}`);
  must((status === 401) === headers.has('www-authenticate'), 'WWW-Authenticate does not go with 401');
  must(status !== 429 || /^\d+$/.test(headers.get('retry-after') ?? ''), '429 without Retry-After');
  if (method === 'HEAD') return wrong;
  const keys = Object.keys(body).sort().join();
  must(body.statusCode === status, `statusCode is ${body.statusCode}`);
  must(typeof body.message === 'string' && body.message !== '', 'no message');
  if (status === 200 || status === 202) {
    must(keys === 'data,error,message,statusCode,success', `members are ${keys}`);
    must(body.success === true && body.error === null && typeof body.data === 'object', 'not the success envelope');
  } else {
    must(keys === 'message,meta,statusCode,success', `members are ${keys}`);
    must(body.success === false, 'success is not false');
    must(/^[a-z_]+$/.test(body.meta?.code ?? ''), `code is ${body.meta?.code}`);
    must(body.meta?.request_id === requestId, 'request_id is not X-Request-Id');
  }
  return wrong;
}
