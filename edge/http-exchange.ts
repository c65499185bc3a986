// One request in absolute form and its answer. It counts what is forwarded: the request as the target gets it, the answer as the customer gets it. The
// connection to the target is left open for the next one only when nothing of this exchange can follow on it.
import { type Failure, fail } from '#platform/errors.ts';
import type { Opened } from './admission.ts';
import { type Body, endsWithConnection, openBody, responseBody } from './http-body.ts';
import { type RequestHead, type ResponseHead, endOfResponseHead, forwardedFields, readResponseHead, wordsOf } from './http-head.ts';
import { MeteredFlow } from './metered-flow.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

export type ExchangeOutcome =
  /** The answer was written. `rest`: bytes of the client that follow this request. */
  | { rest: Buffer; keepAlive: boolean; isKept: boolean }
  /** A kept connection was closed before anything was answered. `paid`: bytes of the request that are counted already. */
  | { stale: true; rest: Buffer; paid: number }
  /** No answer was written yet: the client can get an error. */
  | { failure: Failure }
  /** The answer broke off. */
  | { lost: true };

const MAX_ANSWER_HEAD = 65_536;
const NONE = Buffer.alloc(0);

/** What becomes of the connections of an exchange. */
export interface Persistence {
  /** The customer's connection stays open. */
  keepAlive: boolean;
  /** The target is asked to keep its connection open as well. */
  keepsTarget: boolean;
  /** An earlier request has used the connection. */
  isUsed: boolean;
  /** Bytes of the request that were counted when it was sent on a connection that proved to be closed. */
  paid: number;
}

/** Listens to the target; the client's side is handled by HttpConnection. */
export class HttpExchange extends MeteredFlow implements SocketListener {
  readonly #request: RequestHead & { path: string; authority: string };
  readonly #requestBody: Body;
  readonly #done: (outcome: ExchangeOutcome) => void;
  #keepAlive: boolean;
  #keepsTarget: boolean;
  readonly #persistence: Persistence;
  #headLength = 0;
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
    persistence: Persistence,
    done: (outcome: ExchangeOutcome) => void,
  ) {
    super(client, opened);
    this.#request = request;
    this.#requestBody = body;
    this.#persistence = persistence;
    this.#keepAlive = persistence.keepAlive;
    this.#keepsTarget = persistence.keepsTarget;
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
    const connection = this.#socket === 'asked' ? SWITCH : `Connection: ${this.#keepsTarget ? 'keep-alive' : 'close'}\r\n`;
    const head = Buffer.from(`${text}${connection}\r\n`, 'latin1');
    this.#headLength = head.length;
    this.passes(true);
    const { paid } = this.#persistence;
    if (paid > 0) this.target.write(head.subarray(0, paid));
    if (paid < head.length) this.up.write(head.subarray(paid));
    if (following.length > 0) this.#rest = this.fromClient(following);
    if (this.early.length > 0) this.data(this.early);
    this.clientDrained();
    if (this.target.closed) this.#targetEnded();
  }

  data(bytes: Buffer): void {
    this.passes(false);
    if (this.#answer?.done) this.#keepsTarget = false;
    // A connection that is kept is read on, so that its end, or bytes after the answer, are noticed.
    if (!this.#fromTarget(bytes) && !this.left) this.target.pause();
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
    this.#finish(this.#answered ? { rest: NONE, keepAlive: false, isKept: false } : { failure: why });
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
      if (final && !staysOpen(head)) this.#keepsTarget = false;
      let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`;
      for (const [name, value] of forwardedFields(head.fields)) text += `${name}: ${value}\r\n`;
      if (final && !this.#keepAlive) text += 'Connection: close\r\n';
      const written = Buffer.from(`${text}\r\n`, 'latin1');
      if (!final) {
        this.#answered = true;
        this.down.write(written);
        this.#collected = following;
        continue;
      }
      this.#collected = NONE;
      this.#answer = body;
      return this.#pass(body, following, { status: head.status, written });
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

  /** `head`: the head of the answer, which these bytes came with. It is written in one with them, once they have proved to be sound. */
  #pass(body: Body, bytes: Buffer, head?: { status: number; written: Buffer }): boolean {
    const length = bytes.length === 0 ? 0 : body.take(bytes);
    let passed = length === bytes.length ? bytes : bytes.subarray(0, length);
    if (head) {
      this.#answered = true;
      this.record?.answered(head.status);
      passed = length === 0 ? head.written : Buffer.concat([head.written, passed]);
    }
    const more = passed.length === 0 || this.down.write(passed);
    if (!body.done) return more;
    if (length < bytes.length) this.#keepsTarget = false;
    this.#complete();
    return false;
  }

  #targetEnded(): void {
    if (this.left) return;
    this.#keepsTarget = false;
    // RFC 9112, 9.3.1: the target may have closed it before it knew of the request.
    if (this.#persistence.isUsed && !this.#answered && this.#collected.length === 0) {
      const counted = this.#headLength - this.up.held;
      this.stop();
      this.target.destroy();
      this.#done({ stale: true, rest: this.#rest, paid: counted });
      return;
    }
    if (this.#answer && (this.#answer.done || endsWithConnection(this.#answer))) this.#complete();
    else this.#finish(this.#answered ? { lost: true } : { failure: fail('target_response_invalid') });
  }

  /** The whole answer has been read; parts of it may still wait for the meter. */
  #complete(): void {
    this.down.end(() => {
      const keepAlive = this.#keepAlive && this.#requestBody.done;
      const isKept = keepAlive && this.#keepsTarget && !this.target.closed && !this.up.blocked;
      this.#finish({ rest: this.#rest, keepAlive, isKept });
    });
  }

  #finish(outcome: ExchangeOutcome): void {
    if (this.left) return;
    if ('failure' in outcome) this.record?.failed(outcome.failure);
    if ('isKept' in outcome && outcome.isKept) {
      this.stop();
      this.record?.end();
    } else {
      this.leave();
      this.target.destroy();
    }
    this.#done(outcome);
  }
}

const WEBSOCKET = 'websocket';
/** The two fields that request the upgrade and confirm it. Both are hop-by-hop. RFC 6455, 4.1. */
const SWITCH = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

/** RFC 9112, 9.3: whether the target says that it will take another request. */
function staysOpen({ version, fields }: ResponseHead): boolean {
  const words = wordsOf(fields, 'connection');
  return !words.includes('close') && (version === '1.1' || words.includes('keep-alive'));
}

export const asksForWebSocket = ({ method, version, fields }: RequestHead): boolean =>
  method === 'GET' &&
  version === '1.1' &&
  wordsOf(fields, 'connection').includes('upgrade') &&
  wordsOf(fields, 'upgrade').includes(WEBSOCKET);
