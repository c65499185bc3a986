// A customer's HTTP connection: requests in absolute form, one after another, or CONNECT, which opens a tunnel.
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Admission, Credentials, Login, Opened } from './admission.ts';
import { ProxyAuthorization } from './proxy-authorization.ts';
import type { Customer } from './customer.ts';
import { type Body, requestBody } from './http-body.ts';
import { type ExchangeOutcome, HttpExchange, asksForWebSocket } from './http-exchange.ts';
import { type RequestHead, readRequestHead, valuesOf, wordsOf } from './http-head.ts';
import { KeptTarget } from './kept-target.ts';
import type { EdgeLimits } from './limits.ts';
import { refusalText } from './refusals.ts';
import { Tunnel } from './tunnel.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

export interface ConnectionOptions {
  admission: Admission;
  limits: EdgeLimits;
  /** Called when the request has been read: the connection no longer counts as a handshake. */
  settled: () => void;
  refused: (failure: Failure) => void;
  monotonic: () => number;
}

interface ForwardedRequest {
  head: RequestHead;
  credentials: Credentials | undefined;
  body: Body;
}

/** Methods that may be sent again when a kept connection was closed, and mean nothing to a body. RFC 9110, 9.2.2. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const END = Buffer.from('\r\n\r\n');
const NONE = Buffer.alloc(0);
const ESTABLISHED = Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n');
const LF = 10;
const CR = 13;

const bad = (reason: string) => fail('proxy_request_invalid', {}, reason);

export class HttpConnection implements SocketListener {
  readonly #customer: Customer;
  readonly #client: TcpSocket;
  readonly #options: ConnectionOptions;
  readonly #authorization = new ProxyAuthorization();
  #unread: Buffer = NONE;
  /** True while it waits for the head of a request, false while a request is being served. */
  #reading = true;
  #exchange: HttpExchange | undefined;
  #ended = false;
  /** The connection to the target of the last request, for one more to the same place. */
  #kept: KeptTarget | undefined;
  /** The username of that request: a session of one line is no other line's. */
  #keptBy: string | undefined;
  #method = '';

  /** The time limit for the first head has already started. */
  constructor(customer: Customer, options: ConnectionOptions) {
    this.#customer = customer;
    this.#client = customer.socket;
    this.#options = options;
  }

  drain(): void {
    this.#exchange?.clientDrained();
  }

  end(): void {
    this.#ended = true;
    if (this.#reading) this.#client.destroy();
    else this.#exchange?.clientEnded();
  }

  error(): void {
    this.#client.destroy();
  }

  close(): void {
    this.#options.settled();
    this.#exchange?.abandon();
    this.#kept?.drop();
  }

  data(bytes: Buffer): void {
    if (this.#exchange) {
      const rest = this.#exchange.fromClient(bytes);
      if (rest.length === 0) return;
      bytes = rest;
    }
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    if (this.#reading) this.#findHead();
    // A client that pipelines requests must wait.
    else if (this.#unread.length > this.#options.limits.headBytes) this.#client.pause();
  }

  #findHead(): void {
    // Skip empty lines before a request. RFC 9112, 2.2.
    while (this.#unread[0] === CR && this.#unread[1] === LF) this.#unread = this.#unread.subarray(2);
    const { headBytes } = this.#options.limits;
    const end = this.#unread.indexOf(END);
    if (end < 0 || end > headBytes) {
      if (end > headBytes || this.#unread.length > headBytes) this.#refuse(fail('head_too_large'));
      else if (hasBareLineFeed(this.#unread)) this.#refuse(bad('A line of the request does not end as it must.'));
      return;
    }
    this.#customer.inTime();
    this.#reading = false;
    this.#options.settled();
    const text = this.#unread.toString('latin1', 0, end);
    this.#unread = this.#unread.subarray(end + END.length);
    void this.#serve(text);
  }

  async #serve(text: string): Promise<void> {
    this.#method = '';
    try {
      const head = readRequestHead(text);
      this.#method = head.method;
      // RFC 9112, 3.2: for every request, CONNECT included.
      if (valuesOf(head.fields, 'host').length > 1) throw bad('Host was given more than once.');
      const credentials = this.#authorization.read(head);
      const body = requestBody(head.fields, head.version);
      if (head.method === 'CONNECT') {
        if (!body.done) throw bad('CONNECT has no body.');
        this.#kept?.drop();
        await this.#tunnel(head, credentials);
      } else await this.#forward({ head, credentials, body });
    } catch (error) {
      this.#refuse(toFailure(error));
    }
  }

  async #tunnel({ target }: RequestHead, credentials: Credentials | undefined): Promise<void> {
    const { admission, limits } = this.#options;
    const authority = readAuthority(target);
    if (authority?.port === undefined) throw bad('CONNECT takes host:port.');
    const login = admission.logIn(credentials, this.#customer.address);
    const opened = await (login instanceof Promise ? await login : login).open(authority.host, authority.port);
    if (this.#client.closed) {
      opened.upstream.socket.destroy();
      opened.release();
      return;
    }
    new Tunnel(this.#customer, opened, limits).start(ESTABLISHED, this.#unread, this.#ended);
  }

  /** `former`: the same request was sent on a kept connection that proved to be closed. */
  async #forward(request: ForwardedRequest, former?: { opened: Opened; paid: number }): Promise<void> {
    const { head, credentials, body } = request;
    const { admission, limits } = this.#options;
    const target = readAbsoluteForm(head);
    this.#client.pause();
    const keepAlive =
      head.version === '1.1' && ![...wordsOf(head.fields, 'connection'), ...wordsOf(head.fields, 'proxy-connection')].includes('close');
    const isRepeatable = keepAlive && body.done && REPEATABLE.has(head.method) && !asksForWebSocket(head) && limits.keptMs > 0;
    const login = admission.logIn(credentials, this.#customer.address);
    const kept = isRepeatable && this.#keptBy === credentials?.username ? this.#kept : undefined;
    this.#keptBy = credentials?.username;
    const { opened, since } = await this.#open(login instanceof Promise ? await login : login, target, kept);
    if (this.#client.closed) {
      opened.upstream.socket.destroy();
      opened.release();
      return;
    }
    if (former?.opened.record) opened.record?.continues(former.opened.record);
    this.#client.idleAfter(limits.idleMs, this.#idle);
    const keepsTarget = isRepeatable && opened.way !== undefined;
    this.#exchange = new HttpExchange(
      this.#client,
      opened,
      { ...head, path: target.path, authority: target.authority },
      body,
      { keepAlive, keepsTarget, isUsed: since !== undefined, paid: former?.paid ?? 0 },
      (outcome) => this.#over(outcome, request, { opened, since: since ?? this.#options.monotonic() }),
    );
    const unread = this.#unread;
    this.#unread = NONE;
    this.#exchange.start(unread);
    this.#client.resume();
  }

  /** Opens a connection, or goes on with the kept one; `since`: when that was opened. A kept one that is not used is closed. */
  async #open(
    login: Login,
    { host, port }: { host: string; port: number },
    kept: KeptTarget | undefined,
  ): Promise<{ opened: Opened; since?: number }> {
    const { limits, monotonic } = this.#options;
    const former = kept && monotonic() - kept.since < limits.keptMs ? kept.take() : undefined;
    if (!former) this.#kept?.drop();
    this.#kept = undefined;
    if (!kept || !former) return { opened: await login.open(host, port) };
    let opened: Opened | undefined;
    try {
      opened = await login.open(host, port, former);
    } finally {
      if (opened?.upstream.socket !== former.upstream.socket) {
        former.upstream.socket.destroy();
        former.release();
      }
    }
    return opened.upstream.socket === former.upstream.socket ? { opened, since: kept.since } : { opened };
  }

  /** The exchange has ended. */
  #over(outcome: ExchangeOutcome, request: ForwardedRequest, { opened, since }: { opened: Opened; since: number }): void {
    this.#exchange = undefined;
    if ('lost' in outcome) {
      this.#client.destroy();
      return;
    }
    if ('failure' in outcome) {
      this.#refuse(outcome.failure);
      return;
    }
    this.#unread = outcome.rest.length > 0 ? Buffer.concat([outcome.rest, this.#unread]) : this.#unread;
    if ('stale' in outcome) {
      opened.record?.discard();
      opened.release();
      this.#forward(request, { opened, paid: outcome.paid }).catch((error: unknown) => this.#refuse(toFailure(error)));
      return;
    }
    if (outcome.isKept) this.#keep(opened, since);
    if (!outcome.keepAlive || (this.#ended && this.#unread.length === 0)) {
      this.#client.end();
      // Wait until all has arrived: a customer who breaks off before is not charged for the rest.
      const leave = () => void setTimeout(() => this.#client.destroy(), this.#options.limits.lingerMs).unref();
      if (this.#client.delivery) this.#client.delivery.whenSettled(leave);
      else leave();
      return;
    }
    this.#client.idleAfter(0, this.#idle);
    this.#reading = true;
    this.#customer.expectWithin(this.#options.limits.keepAliveMs);
    this.#client.resume();
    if (this.#unread.length > 0) this.#findHead();
  }

  /** Where the next request waits already, there is no time to see whether the target sends more than its answer: that would become the next answer. */
  #keep(opened: Opened, since: number): void {
    const { idleMs } = this.#options.limits;
    const kept = new KeptTarget(opened, since, idleMs);
    if (this.#unread.length > 0 || this.#ended || this.#client.closed) kept.drop();
    else this.#kept = kept;
  }

  #refuse(failure: Failure): void {
    this.#kept?.drop();
    if (this.#client.closed) return;
    this.#options.settled();
    this.#options.refused(failure);
    this.#customer.dismiss(Buffer.from(refusalText(failure, this.#method === 'HEAD')), this.#options.limits.lingerMs);
  }

  readonly #idle = (): void => {
    if (this.#client.delivery?.isSettled === false) this.#client.reset();
    else this.#client.destroy();
  };
}

function hasBareLineFeed(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) if (at === 0 || bytes[at - 1] !== CR) return true;
  return false;
}

function readAuthority(text: string): { host: string; port?: number } | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^:[\]/?#@\s]+)(?::(\d{1,5}))?$/i.exec(text);
  return match ? { host: match[1] as string, ...(match[2] !== undefined && { port: Number(match[2]) }) } : undefined;
}

/** The path is passed on unchanged: a normalised one may mean something else to the target. */
function readAbsoluteForm({ target, method }: RequestHead): { host: string; port: number; path: string; authority: string } {
  if (/^https:/i.test(target)) throw bad('For https targets a proxy takes CONNECT.');
  const match = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(target);
  const authority = readAuthority(match?.[1] ?? '');
  if (!match || !authority) throw bad('This is a proxy: it takes CONNECT or a whole URL.');
  const rest = match[2] as string;
  const path = rest.startsWith('/') ? rest : rest === '' && method === 'OPTIONS' ? '*' : `/${rest}`;
  return { host: authority.host, port: authority.port ?? 80, path, authority: match[1] as string };
}
