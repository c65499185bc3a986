// One address of a static plan: checks who may use it, by the password or by the network they come from, and connects from exactly that address. Its traffic is not metered against a plan; only the node's
// total is counted.
import type { BlockList } from 'node:net';
import { isListed, toBlockList } from '#platform/public-address.ts';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import { type KeyedOrigin, keyed } from './protocol/origin.ts';
import type { Admission, Association, Credentials, Login, Opened } from './admission.ts';
import { type Counted, enter } from './connection-counter.ts';
import { DialError } from './dial.ts';
import { type Exit, createExit } from './exit.ts';
import { judgePassword } from './fingerprint.ts';
import { goesAs } from './kept-target.ts';
import { NetworkList } from './network-list.ts';
import type { Carried, Flow, Meter } from './plan-meter.ts';
import type { StaticEndpoint, StaticPlanFacts } from './protocol/static-plan.ts';
import { judged } from './target-guard.ts';
import type { WayOut } from './way-out.ts';

export interface StaticLineOptions extends WayOut {
  carried: Carried;
  monotonic: () => number;
}

/** Who uses the line. */
interface Client {
  address: string;
  /** The id of the network that the client was let in by. Undefined: by the password. */
  network?: string | undefined;
}

/** Lets everything pass and counts the node's total. */
class OpenMeter implements Meter {
  readonly flows = new Set<Flow>();
  readonly starved = false;
  readonly #carried: Carried;

  constructor(carried: Carried) {
    this.#carried = carried;
  }

  take(_flow: unknown, bytes: number, upward: boolean): number {
    if (upward) this.#carried.up += bytes;
    else this.#carried.down += bytes;
    return bytes;
  }

  takeWhole(flow: unknown, bytes: number, upward: boolean): boolean {
    return this.take(flow, bytes, upward) === bytes;
  }
}

export class StaticLine implements Admission {
  readonly #options: StaticLineOptions;
  readonly #exit: Exit;
  readonly #meter: OpenMeter;
  #facts: StaticPlanFacts;
  /** Undefined: any address may use it with the password. */
  #allowed: BlockList | undefined;
  readonly #networks: NetworkList;
  readonly #counted: Counted = { connections: 0 };

  constructor(endpoint: StaticEndpoint, facts: StaticPlanFacts, options: StaticLineOptions) {
    const { address } = endpoint;
    this.#options = options;
    this.#facts = facts;
    this.#networks = new NetworkList(options);
    this.#meter = new OpenMeter(options.carried);
    this.#exit = createExit({ id: address, kind: 'local', address, country: '', products: [] });
    this.update(facts, endpoint);
  }

  get connections(): number {
    return this.#meter.flows.size;
  }

  /** Takes new facts and ends connections that are no longer allowed. */
  update(facts: StaticPlanFacts, { networks = [] }: StaticEndpoint): void {
    const before = this.#facts;
    this.#facts = facts;
    this.#networks.set(networks.map((each) => ({ ...each, username: facts.username })));
    const { allowedClients, networksAndPassword } = facts;
    const isOpen = allowedClients.length === 0 && !networksAndPassword;
    this.#allowed = isOpen ? undefined : toBlockList([...allowedClients, ...networks.map(({ network }) => network)]);
    if (facts.username !== before.username || !facts.fingerprint.equals(before.fingerprint)) this.cut(fail('proxy_credentials_wrong'));
    for (const flow of [...this.#meter.flows]) {
      const why = this.#refusal({ address: flow.origin.client, network: flow.network });
      if (why) flow.cut(why);
    }
  }

  cut(why: Failure): void {
    for (const flow of [...this.#meter.flows]) flow.cut(why);
  }

  logIn(credentials: Credentials | undefined, client: string): Login | Promise<never> {
    if (!credentials) return this.#logInFrom(client);
    const { username, password } = credentials;
    const named = username === this.#facts.username;
    const verdict = judgePassword(password, named ? this.#facts : undefined);
    if (verdict === 'old') throw fail('proxy_password_replaced');
    // Attempts are counted under the plan's username or the empty one, so that arbitrary names do not fill the table.
    if (verdict === 'wrong') return this.#options.attempts.refuse(client, named ? username : '');
    // Both are needed, and the network is there: it is in use.
    if (this.#facts.networksAndPassword) this.#networks.of(client);
    return this.#letIn({ address: client });
  }

  /** Logs in by client address. It counts as no guess: many clients send their first request without credentials. */
  #logInFrom(address: string): Login {
    const network = this.#facts.networksAndPassword ? undefined : this.#networks.of(address);
    if (!network) throw fail('proxy_credentials_required');
    return this.#letIn({ address, network: network.id });
  }

  #letIn(client: Client): Login {
    return {
      open: (host, port, kept) => this.#open({ host, port }, client, kept),
      associate: async () => this.#associate(client),
    };
  }

  /** Ids of the networks that somebody has come from recently. */
  networksUsed(): string[] {
    return this.#networks.used();
  }

  #refusal({ address, network }: Client): Failure | undefined {
    if (this.#facts.suspended) return fail('account_suspended');
    if (!this.#facts.open) return fail('static_plan_suspended');
    if (network !== undefined)
      return this.#facts.networksAndPassword || !this.#networks.has(network) ? fail('proxy_credentials_required') : undefined;
    return this.#allowed && !isListed(this.#allowed, address) ? fail('client_not_allowed') : undefined;
  }

  /** Counts a connection. Throws the reason when the customer is not allowed. Returns a function that ends it. */
  #enter(client: Client): () => void {
    const why = this.#refusal(client);
    if (why) throw why;
    const { limits, counter } = this.#options;
    return enter(this.#counted, `static ${this.#exit.definition.id}`, limits.connectionsPerPlan, counter);
  }

  #judge(host: string, port: number): Promise<string> {
    return judged(this.#options.guards.of('STATIC'), this.#options.resolver, this.#exit, host, port);
  }

  async #open({ host, port }: { host: string; port: number }, client: Client, kept?: Opened): Promise<Opened> {
    // It is counted anew, as every connection.
    kept?.release();
    const release = this.#enter(client);
    try {
      const address = await this.#judge(host, port);
      const way = { to: address, port };
      const upstream =
        kept && goesAs(kept, way) ? kept.upstream : await this.#options.dial(this.#exit, { address, port }, this.#options.limits.connectMs);
      // It may have been suspended meanwhile.
      const why = this.#refusal(client);
      if (why) {
        upstream.socket.destroy();
        throw why;
      }
      return { meter: this.#meter, upstream, origin: originOf(host, client.address), network: client.network, way, release };
    } catch (error) {
      release();
      throw toFailure(error instanceof DialError ? error.failure : error);
    }
  }

  #associate(client: Client): Association {
    return {
      meter: this.#meter,
      client: client.address,
      address: this.#exit.definition.id,
      network: client.network,
      originOf: (host) => originOf(host, client.address),
      judge: (host, port) => this.#judge(host, port),
      release: this.#enter(client),
    };
  }
}

const originOf = (host: string, client: string): KeyedOrigin => keyed({ country: '', session: null, host: host.toLowerCase(), client });
