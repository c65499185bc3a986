// One request in absolute form and its answer, over its own connection to the target, so that exchanges cannot mix. It counts what is forwarded: the
// request as the target gets it, the answer as the customer gets it.
import { type Failure, fail } from '#platform/errors.ts';
import type { Opened } from './admission.ts';
import { type Body, endsWithConnection, openBody, responseBody } from './http-body.ts';
import { type RequestHead, type ResponseHead, endOfResponseHead, forwardedFields, readResponseHead, wordsOf } from './http-head.ts';
import { MeteredFlow } from './metered-flow.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

export type ExchangeOutcome =
  /** The answer was written. `rest`: bytes of the client that follow this request. */
  | { rest: Buffer; keepAlive: boolean }
  /** No answer was written yet: the client can get an error. */
  | { failure: Failure }
  /** The answer broke off. */
  | { lost: true };

const MAX_ANSWER_HEAD = 65_536;
const NONE = Buffer.alloc(0);

/** Listens to the target; the client's side is handled by HttpConnection. */
export class HttpExchange extends MeteredFlow implements SocketListener {
  readonly #request: RequestHead & { path: string; authority: string };
  readonly #requestBody: Body;
  readonly #done: (outcome: ExchangeOutcome) => void;
  #keepAlive: boolean;
  #answer: Body | undefined;
  #collected: Buffer = NONE;
  #rest: Buffer = NONE;
  /** Part of the answer was written. */
  #answered = false;
  /** Whether the customer asked to upgrade to WebSocket. 'open': the target has agreed, and bytes go both ways as in a tunnel. */
  #socket: 'no' | 'asked' | 'open';

  constructor(
    client: TcpSocket,
    opened: Opened,
    request: RequestHead & { path: string; authority: string },
    body: Body,
    keepAlive: boolean,
    done: (outcome: ExchangeOutcome) => void,
  ) {
    super(client, opened);
    this.#request = request;
    this.#requestBody = body;
    this.#keepAlive = keepAlive;
    this.#done = done;
    this.#socket = body.done && asksForWebSocket(request) ? 'asked' : 'no';
  }

  /** Sends the head, and the bytes that the client sent after it. */
  start(following: Buffer): void {
    this.begin();
    this.target.listener = this;
    this.target.reader = this.client;
    const { method, path, version, authority, fields } = this.#request;
    let text = `${method} ${path} HTTP/${version}\r\nHost: ${authority}\r\n`;
    for (const [name, value, known] of forwardedFields(fields)) if (known !== 'host') text += `${name}: ${value}\r\n`;
    this.up.write(Buffer.from(`${text}${this.#socket === 'asked' ? SWITCH : 'Connection: close\r\n'}\r\n`, 'latin1'));
    if (following.length > 0) this.#rest = this.fromClient(following);
    if (this.early.length > 0) this.data(this.early);
    this.clientDrained();
    if (this.target.closed) this.#targetEnded();
  }

  data(bytes: Buffer): void {
    if (!this.#fromTarget(bytes)) this.target.pause();
  }

  drain(): void {
    this.readClient();
  }

  end(): void {
    this.#targetEnded();
  }

  error(): void {}

  close(): void {
    this.#targetEnded();
  }

  /** Forwards bytes of the request's body and returns the bytes that follow it. */
  fromClient(bytes: Buffer): Buffer {
    if (this.left) return bytes;
    if (this.#socket === 'open') {
      if (!this.up.write(bytes)) this.client.pause();
      return NONE;
    }
    let length: number;
    try {
      length = this.#requestBody.take(bytes);
    } catch (error) {
      // The target has only half a request, which it cannot take for a whole one.
      this.#finish(this.#answered ? { lost: true } : { failure: error as Failure });
      return NONE;
    }
    if (length > 0 && !this.up.write(length === bytes.length ? bytes : bytes.subarray(0, length))) this.client.pause();
    return length === bytes.length ? NONE : bytes.subarray(length);
  }

  /** The client has ended; it may still wait for the answer. */
  clientEnded(): void {
    if (this.#socket === 'open') {
      this.up.end();
      return;
    }
    if (!this.#requestBody.done) this.#finish({ lost: true });
    this.#keepAlive = false;
  }

  clientDrained(): void {
    this.readTarget();
  }

  /** The client's connection has closed. */
  abandon(): void {
    this.#finish({ lost: true });
  }

  cut(why: Failure): void {
    this.record?.failed(why);
    this.#finish(this.#answered ? { rest: NONE, keepAlive: false } : { failure: why });
  }

  #fromTarget(bytes: Buffer): boolean {
    if (this.left) return false;
    try {
      return this.#answer ? this.#pass(this.#answer, bytes) : this.#readHead(bytes);
    } catch {
      this.#finish(this.#answered ? { lost: true } : { failure: fail('target_response_invalid') });
      return false;
    }
  }

  #readHead(bytes: Buffer): boolean {
    this.#collected = this.#collected.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#collected, bytes]);
    for (;;) {
      const found = endOfResponseHead(this.#collected);
      if (!found) {
        if (this.#collected.length > MAX_ANSWER_HEAD) throw fail('target_response_invalid');
        return true;
      }
      const head = readResponseHead(this.#collected.toString('latin1', 0, found.end));
      const following = this.#collected.subarray(found.next);
      if (head.status === 101) return this.#switch(head, following);
      const final = head.status >= 200;
      const body = responseBody(head, this.#request.method);
      if (final && endsWithConnection(body)) this.#keepAlive = false;
      let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`;
      for (const [name, value] of forwardedFields(head.fields)) text += `${name}: ${value}\r\n`;
      if (final && !this.#keepAlive) text += 'Connection: close\r\n';
      this.#answered = true;
      if (final) this.record?.answered(head.status);
      const written = this.down.write(Buffer.from(`${text}\r\n`, 'latin1'));
      if (!final) {
        this.#collected = following;
        continue;
      }
      this.#collected = NONE;
      this.#answer = body;
      if (body.done) {
        this.#complete();
        return false;
      }
      return following.length > 0 ? this.#pass(body, following) : written;
    }
  }

  /** Handles 101. Throws when the customer did not ask for WebSocket. */
  #switch(head: ResponseHead, following: Buffer): boolean {
    if (this.#socket !== 'asked' || !wordsOf(head.fields, 'upgrade').includes(WEBSOCKET)) throw fail('target_response_invalid');
    this.record?.answered(head.status);
    this.#socket = 'open';
    this.#keepAlive = false;
    this.#answered = true;
    this.#collected = NONE;
    this.#answer = openBody();
    let text = `HTTP/1.1 101 ${head.reason}\r\n`;
    for (const [name, value] of forwardedFields(head.fields)) text += `${name}: ${value}\r\n`;
    this.down.write(Buffer.from(`${text}${SWITCH}\r\n`, 'latin1'));
    return following.length === 0 || this.#pass(this.#answer, following);
  }

  #pass(body: Body, bytes: Buffer): boolean {
    const length = body.take(bytes);
    const more = length === 0 || this.down.write(length === bytes.length ? bytes : bytes.subarray(0, length));
    if (!body.done) return more;
    this.#complete();
    return false;
  }

  #targetEnded(): void {
    if (this.left) return;
    if (this.#answer && (this.#answer.done || endsWithConnection(this.#answer))) this.#complete();
    else this.#finish(this.#answered ? { lost: true } : { failure: fail('target_response_invalid') });
  }

  /** The whole answer has been read; parts of it may still wait for the meter. */
  #complete(): void {
    this.down.end(() => this.#finish({ rest: this.#rest, keepAlive: this.#keepAlive && this.#requestBody.done }));
  }

  #finish(outcome: ExchangeOutcome): void {
    if (this.left) return;
    if ('failure' in outcome) this.record?.failed(outcome.failure);
    this.leave();
    this.target.destroy();
    this.#done(outcome);
  }
}

const WEBSOCKET = 'websocket';
/** The two fields that request the upgrade and confirm it. Both are hop-by-hop. RFC 6455, 4.1. */
const SWITCH = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

const asksForWebSocket = ({ method, version, fields }: RequestHead): boolean =>
  method === 'GET' &&
  version === '1.1' &&
  wordsOf(fields, 'connection').includes('upgrade') &&
  wordsOf(fields, 'upgrade').includes(WEBSOCKET);
