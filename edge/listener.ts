// The ports that customers connect to. Every port takes both protocols: the first byte tells whether a customer speaks HTTP or SOCKS5.
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { type Server as TlsServer, createServer as createTlsServer } from 'node:tls';
import { plainAddress } from '#platform/public-address.ts';
import { addressGroup, addressSite } from '#platform/address-group.ts';
import { type Failure, fail } from '#platform/errors.ts';
import type { ChallengeCertificate } from './acme/certificate-request.ts';
import { HandshakeChallenges } from './acme/handshake-challenges.ts';
import { acceptSockets } from './accept-sockets.ts';
import type { Admission } from './admission.ts';
import { type AddressLimit, Arrival, type Presence } from './arrival.ts';
import type { Certificate } from './certificate.ts';
import { HttpConnection } from './http-connection.ts';
import type { ConnectionCounter } from './connection-counter.ts';
import { Customer } from './customer.ts';
import type { EdgeLimits } from './limits.ts';
import { SocksConnection } from './socks-connection.ts';
import { StreamSocket } from './stream-socket.ts';
import type { Endpoint } from './target-guard.ts';
import { HANDLES } from './tcp-handles.ts';
import type { TcpSocket } from './tcp-socket.ts';

export interface Listening {
  endpoint: Endpoint;
  /** Stops listening at this endpoint. */
  close(): void;
}

export interface ListenOptions {
  /** Default: the admission for generated lines. */
  admission?: Admission;
  /** Customers speak TLS first, by the certificate of `renew`; until there is one, handshakes fail. */
  secure?: boolean;
}

export interface Listeners {
  /** Rejects with the system's error. */
  listen(endpoint: Endpoint, options?: ListenOptions): Promise<Listening>;
  /** Whether there is, or will be, a certificate. */
  readonly isSecure: boolean;
  /** Sets the certificate for new TLS connections, PEM. */
  renew(certificate: Certificate): void;
  /** Answers these challenges on all TLS ports from now on, and no others. */
  answerChallenges(challenges: readonly ChallengeCertificate[]): void;
  /** The addresses that a port is open on; undefined: none. */
  addressesAt(port: number): ReadonlySet<string> | undefined;
  /** Open connections of customers: for metrics and draining. */
  connections(): number;
  /** Stops listening; open connections go on. */
  drain(): void;
  close(): Promise<void>;
}

const SOCKS5 = 5;
/** SOCKS4 has no passwords and is always refused, with its own reply "rejected" (SOCKS4.protocol, 1). */
const SOCKS4 = 4;
const SOCKS4_REJECTED = Buffer.from([0, 0x5b, 0, 0, 0, 0, 0, 0]);
/** New connections of a burst wait here instead of being refused. */
const BACKLOG = 4_096;

export interface ListenersOptions {
  limits: EdgeLimits;
  /** Other workers of this node listen on the same ports. */
  reusePort: boolean;
  /** There is, or will be, a certificate. */
  isSecure: boolean;
  /** Counts connections over all workers of this node. */
  counter?: ConnectionCounter | undefined;
  /** Called with every refusal, for support. */
  refused: (failure: Failure) => void;
  monotonic: () => number;
}

class NodeListeners implements Listeners {
  readonly #lines: Admission;
  readonly #limits: EdgeLimits;
  readonly #reusePort: boolean;
  readonly #counter: ConnectionCounter | undefined;
  readonly #refused: (failure: Failure) => void;
  readonly #monotonic: () => number;
  readonly #servers = new Set<Server>();
  readonly isSecure: boolean;
  readonly #secure = new Set<TlsServer>();
  readonly #challenges: HandshakeChallenges;
  #certificate: Certificate | undefined;
  readonly #clients = new Set<TcpSocket | Socket>();
  readonly #presences = new Map<string, Presence>();
  readonly #addresses = new Map<number, Set<string>>();

  constructor(lines: Admission, { limits, reusePort, isSecure, counter, refused, monotonic }: ListenersOptions) {
    this.#lines = lines;
    this.#limits = limits;
    this.#reusePort = reusePort;
    this.isSecure = isSecure;
    this.#challenges = new HandshakeChallenges(limits.headMs);
    this.#counter = counter;
    this.#refused = refused;
    this.#monotonic = monotonic;
  }

  listen({ address, port }: Endpoint, { admission = this.#lines, secure = false }: ListenOptions = {}): Promise<Listening> {
    const server = secure ? this.#createSecure(admission) : this.#createPlain(admission);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port, backlog: BACKLOG, reusePort: this.#reusePort }, () => {
        server.removeListener('error', reject);
        // Accepting failed because no file descriptor was left; the next connection may succeed.
        server.on('error', () => {});
        resolve(this.#listening(server));
      });
    });
  }

  #listening(server: Server): Listening {
    const bound = server.address() as AddressInfo;
    const there = this.#addresses.get(bound.port) ?? new Set();
    this.#addresses.set(bound.port, there.add(bound.address));
    this.#servers.add(server);
    return {
      endpoint: { address: bound.address, port: bound.port },
      close: () => {
        server.close();
        this.#servers.delete(server);
        there.delete(bound.address);
        if (there.size === 0) this.#addresses.delete(bound.port);
      },
    };
  }

  renew(certificate: Certificate): void {
    this.#certificate = certificate;
    for (const server of this.#secure) server.setSecureContext(certificate);
  }

  answerChallenges(challenges: readonly ChallengeCertificate[]): void {
    this.#challenges.set(challenges);
  }

  addressesAt(port: number): ReadonlySet<string> | undefined {
    return this.#addresses.get(port);
  }

  connections(): number {
    return this.#clients.size;
  }

  drain(): void {
    for (const server of this.#servers) server.close();
    this.#servers.clear();
  }

  async close(): Promise<void> {
    const closing = [...this.#servers].map((server) => new Promise((done) => server.close(done)));
    for (const client of this.#clients) client.destroy();
    await Promise.all(closing);
  }

  /** IPv6 addresses count under their /64 and, so that many /64 do not help anybody, under their /48. */
  #addressLimitsOf(address: string): AddressLimit[] {
    const group = addressGroup(address);
    const site = addressSite(address);
    const own = { key: group, connections: this.#limits.connectionsPerAddress, handshakes: this.#limits.handshakesPerAddress };
    return site === group
      ? [own]
      : [own, { key: site, connections: this.#limits.connectionsPerSite, handshakes: this.#limits.handshakesPerSite }];
  }

  /** Counts the connection. Undefined: a limit is reached, and it was destroyed. */
  #arrive(client: TcpSocket | Socket, remoteAddress: string): Arrival | undefined {
    const address = plainAddress(remoteAddress);
    const addressLimits = this.#addressLimitsOf(address);
    const known = addressLimits.map(({ key }) => this.#presences.get(key) ?? { connections: 0, handshakes: 0 });
    const room = known.every((presence, index) => {
      const { connections, handshakes } = addressLimits[index] as AddressLimit;
      return presence.connections < connections && presence.handshakes < handshakes;
    });
    if (!room || !this.#enterOnNode(addressLimits)) {
      client.destroy();
      return undefined;
    }
    addressLimits.forEach(({ key }, index) => this.#presences.set(key, known[index] as Presence));
    this.#clients.add(client);
    return new Arrival(address, addressLimits, known);
  }

  /** Counts it under all keys over all workers, or under none if one of them is full. */
  #enterOnNode(addressLimits: readonly AddressLimit[]): boolean {
    const full = addressLimits.findIndex(({ key, connections }) => this.#counter?.enter(key, connections) === false);
    if (full >= 0) for (const { key } of addressLimits.slice(0, full)) this.#counter?.leave(key);
    return full < 0;
  }

  #leave(client: TcpSocket | Socket, arrival: Arrival): void {
    this.#clients.delete(client);
    arrival.left();
    for (const { key } of arrival.addressLimits) {
      this.#counter?.leave(key);
      if (this.#presences.get(key)?.connections === 0) this.#presences.delete(key);
    }
  }

  /** Chooses the protocol by the first byte. */
  #serve(socket: TcpSocket, arrival: Arrival, admission: Admission, left: () => void = () => {}): void {
    const destroy = () => socket.destroy();
    const listener = {
      data: (bytes: Buffer) => {
        if (bytes[0] === SOCKS4) {
          arrival.settled();
          this.#refused(fail('proxy_request_invalid'));
          customer.dismiss(SOCKS4_REJECTED, this.#limits.lingerMs);
          return;
        }
        const shared = { admission, limits: this.#limits, refused: this.#refused, monotonic: this.#monotonic };
        const options = { ...shared, settled: () => arrival.settled() };
        const connection = bytes[0] === SOCKS5 ? new SocksConnection(customer, options) : new HttpConnection(customer, options);
        customer.listener = connection;
        connection.data(bytes);
      },
      drain: () => {},
      end: destroy,
      error: destroy,
      close: () => {},
    };
    const customer = new Customer(socket, arrival.address, listener, left);
    customer.expectWithin(this.#limits.headMs);
  }

  #createPlain(admission: Admission): Server {
    return acceptSockets((socket) => {
      const arrival = this.#arrive(socket, socket.remoteAddress);
      if (arrival) this.#serve(socket, arrival, admission, () => this.#leave(socket, arrival));
    }, HANDLES);
  }

  #createSecure(admission: Admission): Server {
    const arrivals = new Map<string, { arrival: Arrival; raw: Socket }>();
    const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress}|${remotePort}`;
    const secure = createTlsServer({ ...this.#certificate, allowHalfOpen: true, handshakeTimeout: this.#limits.headMs });
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (raw) => {
      const arrival = this.#arrive(raw, raw.remoteAddress ?? '');
      if (!arrival) return;
      const name = nameOf(raw);
      arrivals.set(name, { arrival, raw });
      raw.once('close', () => {
        arrivals.delete(name);
        this.#leave(raw, arrival);
      });
      const shake = () => void secure.emit('connection', raw);
      if (this.#challenges.isOpen) this.#challenges.look(raw, shake);
      else shake();
    });
    secure.on('tlsClientError', (_error, client) => client.destroy());
    secure.on('secureConnection', (client) => {
      const found = arrivals.get(nameOf(client));
      if (found) this.#serve(new StreamSocket(client, found.raw), found.arrival, admission);
      else client.destroy();
    });
    this.#secure.add(secure);
    server.once('close', () => this.#secure.delete(secure));
    return server;
  }
}

/** `lines` is the admission for generated lines. */
export const createListeners = (lines: Admission, options: ListenersOptions): Listeners => new NodeListeners(lines, options);
