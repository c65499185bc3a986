// A seller's gateway: one port that accepts HTTP CONNECT and SOCKS5, reads the wanted place and session from the log-in, and connects through one of its many exits.
// It keeps sessions, bills by its own count, and fails in the ways in which real ones do.
import { type AddressInfo, type Server, type Socket, connect, createServer, isIP } from 'node:net';
import { type Clock, systemClock } from '#platform/clock.ts';
import { type Asked, GRAMMARS, type Grammar, type GrammarName, type Refusal, readLogin } from './grammars.ts';

export interface SandboxGatewayOptions {
  grammar: GrammarName;
  /** Resolves a name, as sellers do themselves. Undefined: the name is unknown. */
  lookUp(name: string, port: number): { address: string; port: number } | undefined;
  host?: string;
  port?: number;
  clock?: Clock;
  /** Its exits are loopback addresses: 127.<network>.x.y. */
  network?: number;
}

/** Faults of the gateway; each lasts until it is reset. */
export interface GatewayMoods {
  /** Countries, in lower case, that are silently served from another one. */
  elsewhere: Record<string, string>;
  /** Countries, in lower case, without any exit. */
  empty: Set<string>;
  /** Host names that the gateway refuses to connect to. */
  forbidden: Set<string>;
  /** The account has unpaid bills. */
  unpaid: boolean;
  /** The password was changed at the seller, so that every log-in is refused. */
  changedPassword: boolean;
  /** Every request is refused as too much. */
  busy: boolean;
  /** Accepts connections and closes them, or never answers. */
  broken: 'no' | 'closes' | 'hangs';
}

export interface GatewayRequest {
  username: string;
  password: string;
  /** The requested host name or address. */
  target: string;
  asked: Asked | undefined;
  /** 200, or the status of the refusal. */
  status: number;
  /** The address of the exit that was used. */
  exit: string | undefined;
}

export interface SandboxGateway {
  readonly endpoint: { address: string; port: number };
  readonly moods: GatewayMoods;
  readonly requests: GatewayRequest[];
  /** Bytes of payload in both directions, as billed. */
  readonly billedBytes: number;
  /** The country of an exit; undefined when it is not one of this seller's. */
  countryOf(exit: string): string | undefined;
  close(): Promise<void>;
}

interface Session {
  exit: string;
  until: number;
  idleUntil: number;
}

const COUNTRIES = ['de', 'fr', 'us', 'gb', 'jp', 'br', 'kr', 'th', 'nl', 'es'];

class Gateway implements SandboxGateway {
  readonly moods: GatewayMoods = {
    elsewhere: {},
    empty: new Set(),
    forbidden: new Set(),
    unpaid: false,
    changedPassword: false,
    busy: false,
    broken: 'no',
  };
  readonly requests: GatewayRequest[] = [];
  billedBytes = 0;
  readonly #options: SandboxGatewayOptions;
  readonly #grammar: Grammar;
  readonly #clock: Clock;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Map<string, Session>();
  readonly #places = new Map<string, string>();
  #count = 0;

  constructor(options: SandboxGatewayOptions) {
    this.#options = options;
    this.#grammar = GRAMMARS[options.grammar];
    this.#clock = options.clock ?? systemClock;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#take(socket));
  }

  get endpoint() {
    const { address, port } = this.#server.address() as AddressInfo;
    return { address, port };
  }

  open(): Promise<void> {
    const { host = '127.0.0.1', port = 0 } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
  }

  countryOf(exit: string): string | undefined {
    return this.#places.get(exit);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((done) => this.#server.close(done));
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #take(socket: Socket): void {
    this.#track(socket);
    if (this.moods.broken === 'hangs') return;
    if (this.moods.broken === 'closes') return void socket.destroy();
    let collected = Buffer.alloc(0);
    const read = (bytes: Buffer) => {
      collected = Buffer.concat([collected, bytes]);
      const used = collected[0] === 5 ? this.#socks(socket, collected) : this.#http(socket, collected);
      if (used === 'more') return;
      socket.off('data', read).pause();
    };
    socket.on('data', read);
  }

  #http(socket: Socket, collected: Buffer): 'more' | 'taken' {
    const end = collected.indexOf('\r\n\r\n');
    if (end < 0) return 'more';
    const head = collected.toString('latin1', 0, end);
    const [, target = ''] = /^CONNECT (\S+) HTTP\/1\.1/.exec(head) ?? [];
    const login = Buffer.from(/^Proxy-Authorization: Basic (\S+)$/im.exec(head)?.[1] ?? '', 'base64').toString();
    const colon = login.indexOf(':');
    const outcome = this.#decide(login.slice(0, colon), login.slice(colon + 1), target);
    if ('status' in outcome) {
      const fields = Object.entries(outcome.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.end(`HTTP/1.1 ${outcome.status} ${outcome.reason}\r\n${fields.join('')}Content-Length: 0\r\n\r\n`);
    } else
      this.#relay(
        socket,
        outcome,
        () => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
        () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'),
      );
    return 'taken';
  }

  /** Handles RFC 1928 and RFC 1929: sellers' clients send each message only after the answer to the last one. */
  #socks(socket: Socket, collected: Buffer): 'more' | 'taken' {
    const methods = collected[1] ?? 0;
    const state = socket as Socket & { stage?: number; login?: [string, string] };
    if (state.stage === undefined) {
      if (collected.length < 2 + methods) return 'more';
      state.stage = 1;
      socket.write(Buffer.from([5, 2]));
      return 'more';
    }
    const rest = collected.subarray(2 + methods);
    if (rest.length < 2 || rest.length < 3 + (rest[1] as number)) return 'more';
    const name = rest.toString('latin1', 2, 2 + (rest[1] as number));
    const secretAt = 3 + (rest[1] as number);
    const secretLength = rest[secretAt - 1] as number;
    if (rest.length < secretAt + secretLength) return 'more';
    const secret = rest.toString('latin1', secretAt, secretAt + secretLength);
    if (state.stage === 1) {
      state.stage = 2;
      const wrong = 'status' in readLogin(this.#grammar, name, secret) || this.moods.changedPassword;
      socket.write(Buffer.from([1, wrong ? 1 : 0]));
      return 'more';
    }
    const request = rest.subarray(secretAt + secretLength);
    if (request.length < 7) return 'more';
    const host = request[3] === 3 ? request.toString('latin1', 5, 5 + (request[4] as number)) : [...request.subarray(4, 8)].join('.');
    const portAt = request[3] === 3 ? 5 + (request[4] as number) : 8;
    if (request.length < portAt + 2) return 'more';
    const outcome = this.#decide(name, secret, `${host}:${request.readUInt16BE(portAt)}`);
    const reply = (code: number) => Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]);
    if ('status' in outcome) socket.end(reply(outcome.status === 403 ? 2 : 1));
    else
      this.#relay(
        socket,
        outcome,
        () => socket.write(reply(0)),
        () => socket.end(reply(5)),
      );
    return 'taken';
  }

  #decide(username: string, password: string, target: string): Refusal | { exit: string; target: string } {
    const request: GatewayRequest = { username, password, target, asked: undefined, status: 200, exit: undefined };
    this.requests.push(request);
    const refuse = (refusal: Refusal): Refusal => {
      request.status = refusal.status;
      return refusal;
    };
    const { moods } = this;
    const asked = readLogin(this.#grammar, username, password);
    if ('status' in asked) return refuse(asked);
    request.asked = asked;
    if (moods.changedPassword) return refuse(this.#grammar.wrongLogin);
    if (moods.unpaid) return refuse(this.#grammar.noMoney);
    if (moods.busy) return refuse(this.#grammar.tooMany);
    if (moods.forbidden.has(target.replace(/:\d+$/, ''))) return refuse(this.#grammar.forbidden);
    const wanted = asked.country?.toLowerCase();
    if (wanted !== undefined && moods.empty.has(wanted)) return refuse(this.#grammar.noExit);
    request.exit = this.#exitFor(asked, wanted === undefined ? undefined : (moods.elsewhere[wanted] ?? wanted));
    return { exit: request.exit, target };
  }

  #exitFor({ session, lifetime, ...place }: Asked, country: string | undefined): string {
    const now = this.#clock.now().getTime();
    const key = session === undefined ? undefined : `${session} ${JSON.stringify(place)}`;
    const known = key === undefined ? undefined : this.#sessions.get(key);
    const idleUntil = now + (this.#grammar.idleSeconds ?? Infinity) * 1_000;
    if (known && known.until > now && known.idleUntil > now) {
      known.idleUntil = idleUntil;
      return known.exit;
    }
    const exit = `127.${this.#options.network ?? 90}.${1 + ((this.#count >> 8) & 127)}.${this.#count & 255}`;
    this.#places.set(exit, country ?? (COUNTRIES[this.#count % COUNTRIES.length] as string));
    this.#count++;
    if (key !== undefined) this.#sessions.set(key, { exit, until: now + (lifetime ?? this.#grammar.sessionSeconds) * 1_000, idleUntil });
    return exit;
  }

  #relay(customer: Socket, { exit, target }: { exit: string; target: string }, open: () => void, fail: () => void): void {
    const colon = target.lastIndexOf(':');
    const host = target.slice(0, colon).replace(/^\[|\]$/g, '');
    const port = Number(target.slice(colon + 1));
    const place = this.#options.lookUp(host, port) ?? (isIP(host) !== 0 ? { address: host, port } : undefined);
    // The sandbox connects only to this machine.
    if (!place || !place.address.startsWith('127.')) return fail();
    const upstream = connect({ host: place.address, port: place.port, localAddress: exit, allowHalfOpen: true, noDelay: true });
    this.#track(upstream);
    let opened = false;
    upstream.once('connect', () => {
      opened = true;
      open();
      const count = (bytes: Buffer) => {
        this.billedBytes += bytes.length;
      };
      customer.on('data', count);
      upstream.on('data', count);
      customer.pipe(upstream);
      upstream.pipe(customer);
    });
    upstream.once('error', () => (opened ? customer.destroy() : fail()));
    customer.once('close', () => upstream.destroy());
  }
}

export async function startSandboxGateway(options: SandboxGatewayOptions): Promise<SandboxGateway> {
  const gateway = new Gateway(options);
  await gateway.open();
  return gateway;
}
