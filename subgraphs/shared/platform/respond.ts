import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Coding, CachedBody, PAYS_FROM_BYTES, codingFor, encode } from './content-coding.ts';
import { type Failure, fail } from './errors.ts';

/** From this length on, converting text to bytes first costs less than letting Node join headers and text (10,000 proxy lines: 1.2 instead of 1.8 ms). */
const LARGE = 65_536;

const toBytes = (text: string | Buffer): Buffer => (typeof text === 'string' ? Buffer.from(text) : text);

/**
 * Sends JSON in one write; a Buffer must be JSON already. A long body is compressed with a coding that the client accepts. Does nothing when the client is gone
 * or the response has begun.
 */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  sendText(response, status, Buffer.isBuffer(body) ? body : JSON.stringify(body), {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** Responses whose body is being compressed: no second response may begin meanwhile. */
const encoding = new WeakSet<ServerResponse>();

/** As sendJson, for text of any type; `headers` must name the type. */
export function sendText(response: ServerResponse, status: number, text: string | Buffer, headers: Record<string, string>): void {
  if (response.headersSent || response.destroyed || encoding.has(response)) return;
  if (text.length < PAYS_FROM_BYTES) return write(response, status, text, headers);
  const coding = response.req.method === 'HEAD' ? undefined : codingFor(response.req);
  const sent = { ...headers, Vary: varying(headers) };
  const bytes = text.length < LARGE && !coding ? text : toBytes(text);
  if (!coding) return write(response, status, bytes, sent);
  encoding.add(response);
  void encode(toBytes(bytes), coding).then(
    (coded) => write(response, status, coded, { ...sent, 'Content-Encoding': coding }),
    () => write(response, status, bytes, sent),
  );
}

const varying = ({ Vary: own }: Record<string, string>): string => (own ? `${own}, Accept-Encoding` : 'Accept-Encoding');

function write(response: ServerResponse, status: number, bytes: string | Buffer, headers: Record<string, string>): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(bytes), ...headers }).end(bytes);
}

/** Whether If-None-Match contains this tag. RFC 9110, 13.1.2: it may have lists, weak tags and `*`. */
export function hasTag({ headers }: IncomingMessage, tag: string): boolean {
  const given = headers['if-none-match'];
  if (given === undefined) return false;
  const bare = tag.replace(/^W\//, '');
  return given.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === bare);
}

export interface CachedAnswer {
  body: CachedBody;
  /** With quotes. */
  etag: string;
  headers: Record<string, string>;
}

/** A tag that says the text: equal texts have equal tags. */
export const etagOf = (text: string | Buffer): string => `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** Headers of what browsers of any origin may read: API references, generators and other tools on other sites do. */
export const ANY_SITE: Readonly<Record<string, string>> = {
  'Cache-Control': 'public, max-age=300',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** `headers`: besides the type, the tag and the length; `Vary` names what else the answer goes by besides the coding. */
export function cachedAnswer(text: string, type: string, headers: Record<string, string>): CachedAnswer {
  const bytes = Buffer.from(text);
  return { body: new CachedBody(bytes), etag: etagOf(bytes), headers: { 'Content-Type': type, ...headers } };
}

/** Sends a response that is the same for everybody: 304 when the client has it, no body for HEAD. */
export async function sendCached(request: IncomingMessage, response: ServerResponse, { body, etag, headers }: CachedAnswer): Promise<void> {
  const sent = { ...headers, ETag: etag, Vary: varying(headers) };
  if (hasTag(request, etag)) return void response.writeHead(304, sent).end();
  const { bytes, coding }: { bytes: Buffer; coding?: Coding } = await body.for(request);
  if (response.destroyed) return;
  response
    .writeHead(200, { ...sent, 'Content-Length': bytes.length, ...(coding && { 'Content-Encoding': coding }) })
    .end(request.method === 'HEAD' ? undefined : bytes);
}

/** Sends a PDF for download, as the graph returns it; no cache may store it. */
export function sendPdf(
  request: IncomingMessage,
  response: ServerResponse,
  { fileName, base64 }: { fileName: string; base64: string },
): void {
  const pdf = Buffer.from(base64, 'base64');
  response
    .writeHead(200, {
      'Content-Type': 'application/pdf',
      'Content-Length': pdf.length,
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    })
    .end(request.method === 'HEAD' ? undefined : pdf);
}

/** Sends a failure outside GraphQL, REST and MCP: `{ code, message, requestId, field?, retryAfterSeconds?, reasonCode?, params? }`. */
export function sendFailure(response: ServerResponse, failure: Failure, requestId: string): void {
  sendText(response, failure.status, failureBody(failure, requestId), {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    ...retryAfter(failure),
    ...(failure.code === 'request_too_large' && { Connection: 'close' }),
  });
}

/** The body of sendFailure. */
export function failureBody(failure: Failure, requestId: string): string {
  const { field, retry_after_seconds: seconds, reason } = failure.meta;
  return JSON.stringify({
    code: failure.code,
    message: failure.message,
    requestId,
    ...(field !== undefined && { field }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
    ...(reason && { reasonCode: reason.code, params: reason.params }),
  });
}

/** `Retry-After` with the failure's seconds; one second when the service is overloaded. */
export const retryAfter = (failure: Failure): Record<string, string> => {
  const seconds = failure.meta.retry_after_seconds ?? (failure.code === 'overloaded' ? 1 : undefined);
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
};

const REALM = 'Bearer realm="api"';

/** The header that a 401 must have. RFC 6750, 3.1: no error when no key was given. */
export const challengeOf = ({ status, code }: Failure): Record<string, string> =>
  status === 401
    ? { 'WWW-Authenticate': code.startsWith('key_') && code !== 'key_missing' ? `${REALM}, error="invalid_token"` : REALM }
    : {};

/** Throws `method_not_allowed` unless the request's method is one of these. */
export function requireMethod(request: IncomingMessage, response: ServerResponse, ...methods: string[]): void {
  if (methods.includes(request.method ?? '')) return;
  response.setHeader('Allow', methods.join(', '));
  throw fail('method_not_allowed');
}

/** Aborts when the client disconnects before its response is sent. After a complete response it never aborts: each abort would create an error with a stack. */
export function callerGone(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
