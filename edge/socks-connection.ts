// A customer's SOCKS5 connection (RFC 1928) with username and password (RFC 1929), however its messages are split into packets.
import ipaddr from 'ipaddr.js';
import { type Failure, toFailure } from '#platform/errors.ts';
import type { Credentials, Login } from './admission.ts';
import type { Customer } from './customer.ts';
import type { ConnectionOptions } from './http-connection.ts';
import { REPLY, replyOf } from './refusals.ts';
import { Tunnel } from './tunnel.ts';
import { UdpAssociation } from './udp-association.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

const NONE = Buffer.alloc(0);
const VERSION = 5;
const LOGIN_VERSION = 1;
const NO_AUTHENTICATION = 0;
const USERNAME_PASSWORD = 2;
const NO_METHOD = 0xff;
const CONNECT = 1;
const UDP_ASSOCIATE = 3;
const ADDRESS_TYPES = { ipv4: 1, name: 3, ipv6: 4 } as const;

/** The bound address is not revealed: zeros. */
const reply = (code: number): Buffer => Buffer.from([VERSION, code, 0, ADDRESS_TYPES.ipv4, 0, 0, 0, 0, 0, 0]);
const SUCCEEDED = reply(REPLY.succeeded);

export class SocksConnection implements SocketListener {
  readonly #customer: Customer;
  readonly #client: TcpSocket;
  readonly #options: ConnectionOptions;
  #unread: Buffer = NONE;
  #stage: 'methods' | 'login' | 'request' | 'waiting' = 'methods';
  #login: Login | undefined;

  /** The time limit for the negotiation has already started. */
  constructor(customer: Customer, options: ConnectionOptions) {
    this.#customer = customer;
    this.#client = customer.socket;
    this.#options = options;
  }

  data(bytes: Buffer): void {
    this.#unread = this.#unread.length === 0 ? bytes : Buffer.concat([this.#unread, bytes]);
    this.#step();
  }

  drain(): void {}

  end(): void {
    this.#client.destroy();
  }

  error(): void {
    this.#client.destroy();
  }

  close(): void {
    this.#options.settled();
  }

  #step(): void {
    if (this.#stage === 'methods') this.#readMethods();
    if (this.#stage === 'login') this.#readLogin();
    if (this.#stage === 'request') this.#readRequest();
  }

  #readMethods(): void {
    const [version, count = 0] = this.#unread;
    if (this.#unread.length < 2 || this.#unread.length < 2 + count) return;
    const methods = this.#unread.subarray(2, 2 + count);
    const method = [USERNAME_PASSWORD, NO_AUTHENTICATION].find((known) => methods.includes(known));
    if (version !== VERSION || method === undefined) {
      this.#refuse(Buffer.from([VERSION, NO_METHOD]));
      return;
    }
    this.#consume(2 + count);
    // A customer without a password may be known by its address.
    if (method === NO_AUTHENTICATION) return this.#logIn(undefined, [VERSION, NO_AUTHENTICATION], [VERSION, NO_METHOD]);
    this.#client.write(Buffer.from([VERSION, USERNAME_PASSWORD]));
    this.#stage = 'login';
  }

  #readLogin(): void {
    const bytes = this.#unread;
    const nameEnd = 2 + (bytes[1] ?? 0);
    const end = nameEnd + 1 + (bytes[nameEnd] ?? 0);
    if (bytes.length > 0 && bytes[0] !== LOGIN_VERSION) {
      this.#refuse(Buffer.from([LOGIN_VERSION, 1]));
      return;
    }
    if (bytes.length < 2 || bytes.length <= nameEnd || bytes.length < end) return;
    const credentials = { username: bytes.toString('utf8', 2, nameEnd), password: bytes.toString('utf8', nameEnd + 1, end) };
    this.#consume(end);
    this.#logIn(credentials, [LOGIN_VERSION, 0], [LOGIN_VERSION, 1]);
  }

  /** Logs in and sends one of the two answers, then goes on with the request. */
  #logIn(credentials: Credentials | undefined, welcomed: readonly number[], turnedAway: readonly number[]): void {
    this.#stage = 'waiting';
    const welcome = (login: Login) => {
      if (this.#client.closed) return;
      this.#login = login;
      this.#client.write(Buffer.from(welcomed));
      this.#stage = 'request';
    };
    const turnAway = (error: unknown) => {
      this.#options.refused(toFailure(error));
      this.#refuse(Buffer.from(turnedAway));
    };
    try {
      const login = this.#options.admission.logIn(credentials, this.#customer.address);
      if (login instanceof Promise) login.then((found) => (welcome(found), this.#step()), turnAway);
      else welcome(login);
    } catch (error) {
      turnAway(error);
    }
  }

  #readRequest(): void {
    const bytes = this.#unread;
    if (bytes.length < 5 || !this.#login) return;
    const [version, command, , type, nameLength = 0] = bytes;
    const length = { [ADDRESS_TYPES.ipv4]: 4, [ADDRESS_TYPES.ipv6]: 16, [ADDRESS_TYPES.name]: 1 + nameLength }[type as 1 | 3 | 4] as
      | number
      | undefined;
    if (version !== VERSION) {
      this.#client.destroy();
      return;
    }
    if (length === undefined) {
      this.#refuse(reply(REPLY.addressTypeUnknown));
      return;
    }
    if (bytes.length < 6 + length) return;
    if (command !== CONNECT && command !== UDP_ASSOCIATE) {
      this.#refuse(reply(REPLY.commandUnknown));
      return;
    }
    const address = bytes.subarray(4, 4 + length);
    const host = type === ADDRESS_TYPES.name ? address.toString('latin1', 1) : ipaddr.fromByteArray([...address]).toString();
    const port = bytes.readUInt16BE(4 + length);
    this.#consume(6 + length);
    this.#stage = 'waiting';
    if (command === CONNECT) void this.#open(this.#login, host, port);
    // The address in the request is ignored: what counts is where the customer's datagrams really come from.
    else void this.#associate(this.#login);
  }

  async #open(login: Login, host: string, port: number): Promise<void> {
    this.#customer.inTime();
    this.#options.settled();
    this.#client.pause();
    try {
      const opened = await login.open(host, port);
      if (this.#client.closed) {
        opened.upstream.socket.destroy();
        opened.release();
        return;
      }
      new Tunnel(this.#customer, opened, this.#options.limits).start(SUCCEEDED, this.#unread);
    } catch (error) {
      this.#turnDown(toFailure(error));
    }
  }

  async #associate(login: Login): Promise<void> {
    this.#customer.inTime();
    this.#options.settled();
    try {
      const association = await login.associate();
      if (this.#client.closed) {
        association.release();
        return;
      }
      const { address, port } = await new UdpAssociation(this.#customer, association, this.#options.limits).open();
      const bound = Buffer.from(ipaddr.parse(address).toByteArray());
      const type = bound.length === 4 ? ADDRESS_TYPES.ipv4 : ADDRESS_TYPES.ipv6;
      this.#client.write(Buffer.concat([Buffer.from([VERSION, REPLY.succeeded, 0, type]), bound, Buffer.from([port >> 8, port & 255])]));
    } catch (error) {
      this.#turnDown(toFailure(error));
    }
  }

  #consume(length: number): void {
    this.#unread = this.#unread.subarray(length);
  }

  #turnDown(failure: Failure): void {
    this.#options.refused(failure);
    this.#refuse(reply(replyOf(failure)));
  }

  #refuse(answer: Buffer): void {
    if (this.#client.closed) return;
    this.#stage = 'waiting';
    this.#options.settled();
    this.#customer.dismiss(answer, this.#options.limits.lingerMs);
  }
}
