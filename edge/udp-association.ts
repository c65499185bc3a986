// SOCKS5's UDP ASSOCIATE: datagrams between a customer and targets, from an address of this machine, as long as the TCP connection is open. A datagram is
// counted and forwarded whole or not at all; without a lease that covers it, it is dropped, as in any network.
import { type Socket as DatagramSocket, createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import { once } from 'node:events';
import { plainAddress } from '#platform/public-address.ts';
import type { Failure } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';
import type { KeyedOrigin } from './protocol/origin.ts';
import type { Association } from './admission.ts';
import type { Customer } from './customer.ts';
import type { CountedUse, Lease } from './lease.ts';
import type { EdgeLimits } from './limits.ts';
import type { Flow } from './plan-meter.ts';
import { readDatagram, writeDatagram } from './socks-datagram.ts';
import type { Endpoint } from './target-guard.ts';
import type { SocketListener, TcpSocket } from './tcp-socket.ts';

/** The counters for one target. */
interface Counted {
  origin: KeyedOrigin;
  lease: Lease | undefined;
  part: CountedUse | undefined;
}

/** How many targets may answer; the least recently used one is forgotten. */
const TARGETS = 256;

export class UdpAssociation implements Flow, SocketListener {
  readonly origin: KeyedOrigin;
  lease: Lease | undefined;
  part: CountedUse | undefined;
  readonly #client: TcpSocket;
  readonly #association: Association;
  readonly #limits: EdgeLimits;
  readonly #local: DatagramSocket;
  readonly #remote: DatagramSocket;
  /** address:port -> its counters. */
  readonly #targets = new Lru<Counted>(TARGETS);
  /** The source of the customer's datagrams: its address, and the port of the first datagram. */
  #customer: Endpoint | undefined;
  #closed = false;

  constructor(customer: Customer, association: Association, limits: EdgeLimits) {
    const client = customer.socket;
    this.#client = client;
    customer.listener = this;
    this.#association = association;
    this.#limits = limits;
    this.origin = association.originOf('');
    this.#local = createSocket(isIPv4(plainAddress(client.localAddress)) ? 'udp4' : 'udp6');
    this.#remote = createSocket(isIPv4(association.address) ? 'udp4' : 'udp6');
  }

  /** Binds both sides. Resolves with the address that the customer must send datagrams to. */
  async open(): Promise<Endpoint> {
    const close = () => this.#close();
    for (const socket of [this.#local, this.#remote]) socket.on('error', close);
    this.#client.resume();
    this.#client.idleAfter(this.#limits.idleMs, close);
    this.#local.bind({ address: plainAddress(this.#client.localAddress), port: 0 });
    this.#remote.bind({ address: this.#association.address, port: 0 });
    await Promise.all([once(this.#local, 'listening'), once(this.#remote, 'listening')]);
    this.#association.record?.answered(200);
    this.#association.meter.flows.add(this);
    this.#local.on('message', (bytes, { address, port }) => void this.#up(bytes, { address: plainAddress(address), port }));
    this.#remote.on('message', (bytes, { address, port }) => this.#down(bytes, { address: plainAddress(address), port }));
    return this.#local.address();
  }

  get network(): string | undefined {
    return this.#association.network;
  }

  data(): void {}

  drain(): void {}

  end(): void {
    this.#close();
  }

  error(): void {
    this.#close();
  }

  close(): void {
    this.#close();
  }

  pause(): void {}

  resume(): void {}

  cut(why: Failure): void {
    this.#association.record?.failed(why);
    this.#close();
  }

  async #up(bytes: Buffer, from: Endpoint): Promise<void> {
    // Only this customer may use its association.
    if (from.address !== this.#association.client || (this.#customer && from.port !== this.#customer.port)) return;
    this.#customer ??= from;
    const datagram = readDatagram(bytes);
    if (!datagram) return;
    const { meter } = this.#association;
    try {
      const address = await this.#association.judge(datagram.host, datagram.port);
      if (this.#closed) return;
      const key = `${address}:${datagram.port}`;
      const counted = this.#targets.get(key) ?? { origin: this.#association.originOf(datagram.host), lease: undefined, part: undefined };
      this.#targets.set(key, counted);
      if (!meter.takeWhole(counted, datagram.payload.length, true)) return;
      this.#client.touch();
      this.#remote.send(datagram.payload, datagram.port, address, () => {});
    } catch {
      // The target is not allowed. UDP has no way to report it.
    }
  }

  #down(payload: Buffer, from: Endpoint): void {
    // Only targets that the customer has sent to may answer.
    const counted = this.#targets.get(`${from.address}:${from.port}`);
    const customer = this.#customer;
    if (!counted || !customer || this.#closed || !this.#association.meter.takeWhole(counted, payload.length, false)) return;
    this.#client.touch();
    this.#local.send(writeDatagram({ host: from.address, port: from.port, payload }), customer.port, customer.address, () => {});
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#association.meter.flows.delete(this);
    this.#association.release();
    this.#local.close();
    this.#remote.close();
    this.#client.destroy();
  }
}
