// SOCKS5's UDP ASSOCIATE: datagrams between a customer and targets, through an exit of this machine, for as long as the TCP connection stands.
// A datagram is forwarded whole or not at all, and counted when it is; one that no lease covers is dropped, as any network may.
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

/** Counts for one target; pausing means nothing to datagrams. */
interface Counted {
  origin: KeyedOrigin;
  lease: Lease | undefined;
  part: CountedUse | undefined;
}

/** Targets that may answer; who was spoken to longest ago is forgotten. */
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
  /** address:port -> whom its bytes are counted for. */
  readonly #targets = new Lru<Counted>(TARGETS);
  /** Where the customer's datagrams come from: its address, and the port of the first. */
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

  /** Binds both sides. Resolves with where the customer sends its datagrams. */
  async open(): Promise<Endpoint> {
    const close = () => this.#close();
    for (const socket of [this.#local, this.#remote]) socket.on('error', close);
    this.#client.resume();
    this.#client.idleAfter(this.#limits.idleMs, close);
    this.#local.bind({ address: plainAddress(this.#client.localAddress), port: 0 });
    this.#remote.bind({ address: this.#association.address, port: 0 });
    await Promise.all([once(this.#local, 'listening'), once(this.#remote, 'listening')]);
    this.#association.meter.flows.add(this);
    this.#local.on('message', (bytes, { address, port }) => void this.#up(bytes, { address: plainAddress(address), port }));
    this.#remote.on('message', (bytes, { address, port }) => this.#down(bytes, { address: plainAddress(address), port }));
    return this.#local.address();
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

  cut(_why: Failure): void {
    this.#close();
  }

  async #up(bytes: Buffer, from: Endpoint): Promise<void> {
    // Nobody else may speak through this customer's association.
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
      // A target that is not allowed: UDP has no way to say so.
    }
  }

  #down(payload: Buffer, from: Endpoint): void {
    // Only those answer who were asked.
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
