// Admits customers with generated lines: finds the plan, checks the log-in, the rules and the target, chooses an exit and connects.
import { traced } from '#platform/tracing.ts';
import { addressGroup } from '#platform/address-group.ts';
import { type ErrorCode, type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Admission, Association, Credentials, Login, Opened } from './admission.ts';
import type { ClientNetworks } from './client-networks.ts';
import { type Destination, type ExitChoice, connectByExit } from './connect-by-exit.ts';
import { type ConnectionCounter, enter } from './connection-counter.ts';
import { judgePassword } from './fingerprint.ts';
import type { NetworksInUse } from './networks-in-use.ts';
import type { PlaceQualities } from './place-quality.ts';
import type { PlanDirectory } from './plan-directory.ts';
import type { PlanMeter } from './plan-meter.ts';
import type { ClientNetwork } from './protocol/client-network.ts';
import { type LineTarget, baseOf, readLineTarget } from './protocol/line-username.ts';
import { keyed } from './protocol/origin.ts';
import { planOfSubject } from './protocol/subject.ts';
import { type TargetGuard, judged } from './target-guard.ts';
import type { RequestLog } from './request-log.ts';
import type { RequestRecord } from './request-record.ts';
import type { WayOut } from './way-out.ts';

export interface PlanWayOut extends WayOut, ExitChoice {
  plans: PlanDirectory;
  networks: ClientNetworks;
  /** Networks that lines need beside their password. */
  listed: NetworksInUse;
  requests: RequestLog;
  qualities: PlaceQualities;
  monotonic: () => number;
}

export class PlanAdmission implements Admission {
  readonly #way: PlanWayOut;

  constructor(way: PlanWayOut) {
    this.#way = way;
  }

  logIn(credentials: Credentials | undefined, client: string): Login | Promise<Login> {
    if (!credentials) return this.#logInFrom(client);
    const base = baseOf(credentials.username);
    if (base === undefined) return this.#way.attempts.refuse(client, '');
    const found = this.#way.plans.find(base);
    return found instanceof Promise
      ? found.then((meter) => this.#verify(meter, credentials, base, client))
      : this.#verify(found, credentials, base, client);
  }

  /** Logs in by client address. It counts as no guess: many clients send their first request without credentials. */
  #logInFrom(client: string): Login | Promise<Login> {
    const network = this.#way.networks.of(client);
    const base = network && baseOf(network.username);
    if (!network || base === undefined) throw fail('proxy_credentials_required');
    const admit = (meter: PlanMeter | undefined): Login => {
      if (!meter) throw fail('proxy_credentials_required');
      return new PlanLogin(this.#way, meter, network, client, network);
    };
    const found = this.#way.plans.find(base);
    return found instanceof Promise ? found.then(admit) : admit(found);
  }

  #verify(meter: PlanMeter | undefined, credentials: Credentials, base: string, client: string): Login | Promise<never> {
    const verdict = judgePassword(credentials.password, meter?.facts);
    if (!meter) return this.#way.attempts.refuse(client, base);
    if (verdict === 'wrong') {
      this.#note(meter, fail('proxy_credentials_wrong'));
      return this.#way.attempts.refuse(client, base);
    }
    if (verdict === 'right') return new PlanLogin(this.#way, meter, credentials, client);
    // A customer who uses the password from before a reset is not guessing.
    this.#way.plans.leases.triedOldPassword(meter.facts.planId, addressGroup(client));
    const late = fail('proxy_password_replaced');
    this.#note(meter, late);
    throw late;
  }

  /** Whoever is not let in has named no target yet. */
  #note(meter: PlanMeter, why: Failure): void {
    const record = this.#way.requests.begin(meter, '', 0);
    record?.failed(why);
    record?.end();
  }
}

/** Counts a connection against the plan's limit, which its proxy users share. */
function enterPlan(meter: PlanMeter, limit: number, counter: ConnectionCounter | undefined): () => void {
  const leave = enter(meter.presence, planOfSubject(meter.facts.planId), limit, counter);
  let inside = true;
  meter.connections++;
  return () => {
    leave();
    if (inside) meter.connections--;
    inside = false;
  };
}

/** What is opened for a request of the log; why nothing is, stands there too. */
async function logged<Open extends Opened | Association>(record: RequestRecord, opening: Promise<Open>): Promise<Open> {
  try {
    return record.follow(await opening);
  } catch (error) {
    record.failed(toFailure(error));
    record.end();
    throw error;
  }
}

/** Whatever brings the username of a line: credentials, or a network. */
interface Named {
  readonly username: string;
}

/** What was read last of each: requests of one connection bring the same. */
const targets = new WeakMap<Named, { minutes: readonly number[]; target: LineTarget }>();

/** Throws `proxy_username_invalid`. */
function targetOf(line: Named, minutes: readonly number[]): LineTarget {
  const known = targets.get(line);
  if (known?.minutes === minutes) return known.target;
  const target = readLineTarget(line.username, minutes);
  targets.set(line, { minutes, target });
  return target;
}

/** What a place is at fault for; other failures are the target's or the customer's. */
const OF_THE_EXIT: ReadonlySet<ErrorCode> = new Set(['exit_failed', 'exit_gone', 'exit_unavailable']);

class PlanLogin implements Login {
  readonly #way: PlanWayOut;
  readonly meter: PlanMeter;
  readonly line: Named;
  readonly client: string;
  readonly #network: ClientNetwork | undefined;

  /** `network`: what stands in for the password. */
  constructor(way: PlanWayOut, meter: PlanMeter, line: Named, client: string, network?: ClientNetwork) {
    this.#way = way;
    this.#network = network;
    this.meter = meter;
    this.line = line;
    this.client = client;
  }

  /** Traced as a span that does not name the target. */
  open(host: string, port: number, kept?: Opened): Promise<Opened> {
    const record = this.#way.requests.begin(this.meter, host, port);
    return traced({ name: 'proxy open', kind: 'server' }, () =>
      record ? logged(record, this.#open({ host, port }, kept, record)) : this.#open({ host, port }, kept),
    );
  }

  async #open({ host, port }: { host: string; port: number }, kept?: Opened, record?: RequestRecord): Promise<Opened> {
    const { meter, line, client } = this;
    const { guards, limits, counter } = this.#way;
    const guard = guards.of(meter.facts.product);
    const target = targetOf(line, meter.facts.sessionMinutes);
    record?.asks(target);
    this.#checkStanding();
    guard.checkPort(port);
    const asked = guard.readHost(host);
    this.#checkRules(target, 'name' in asked ? asked.name : asked.address);
    // It is counted anew, as every connection.
    kept?.release();
    const leave = enterPlan(meter, limits.connectionsPerPlan, counter);
    let release = leave;
    try {
      const quota = meter.ready(limits.leaseWaitMs);
      // Awaited below; until then a rejection must not count as unhandled.
      quota?.catch(() => {});
      const to = await this.#judged(guard, asked, port, target);
      const { upstream, exit, country, name, way, firstByte } = await this.#connect(target, to, kept);
      record?.leavesBy(exit, country);
      exit.connections++;
      release = () => {
        leave();
        exit.connections--;
        release = () => {};
      };
      try {
        await quota;
        this.#checkStanding();
      } catch (error) {
        upstream.socket.destroy();
        throw error;
      }
      const origin = keyed(
        {
          country,
          session: target.session ?? null,
          host: to.host,
          client,
        },
        name,
      );
      const network = this.#network?.id;
      return { meter, upstream, origin, network, firstByte, way: target.session === undefined ? undefined : way, release: () => release() };
    } catch (error) {
      release();
      throw toFailure(error);
    }
  }

  /** Connects, and counts how that went for the place; what is kept was counted when it was opened. */
  async #connect(target: LineTarget, to: Destination, kept?: Opened) {
    const { qualities, monotonic } = this.#way;
    const { product } = this.meter.facts;
    const { state, city } = target;
    const began = monotonic();
    try {
      const connected = await connectByExit(this.#way, this.meter, target, to, kept);
      const { definition } = connected.exit;
      if (connected.upstream.socket === kept?.upstream.socket) return { ...connected, firstByte: undefined };
      const country = definition.kind === 'gateway' ? connected.country : definition.country;
      return { ...connected, firstByte: qualities.opened(product, { country, state, city }, began) };
    } catch (error) {
      if (OF_THE_EXIT.has(toFailure(error).code)) qualities.failed(product, { country: target.country, state, city });
      throw error;
    }
  }

  /** Throws what the rules of the line refuse. Where they want an address of the plan's list, the entry counts as used. */
  #checkRules({ country }: LineTarget, host?: string): void {
    const { rules } = this.meter;
    if (!rules) return;
    rules.check(this.client, country, host);
    const entry = rules.networkOf(this.client);
    if (entry !== undefined) this.#way.listed.note(entry);
  }

  /** Throws when the plan is refused, or when the network that let the customer in is gone. */
  #checkStanding(): void {
    if (this.meter.refusal) throw this.meter.refusal;
    if (this.#network && !this.#way.networks.isListed(this.#network)) throw fail('proxy_credentials_required');
  }

  /** Checks the target. A name is resolved here unless every exit for the line resolves names itself. */
  async #judged(guard: TargetGuard, asked: { address: string } | { name: string }, port: number, target: LineTarget): Promise<Destination> {
    const host = 'name' in asked ? asked.name : asked.address;
    const byName = this.#way.exits.takeNames(this.meter.facts.product, target);
    if ('name' in asked && byName) {
      guard.checkUnresolved(host);
      return { host, addresses: undefined, port };
    }
    const addresses = 'name' in asked ? await this.#way.resolver.resolve(asked.name) : [asked.address];
    guard.checkAddresses(addresses, port);
    return { host, addresses, port };
  }

  associate(): Promise<Association> {
    const record = this.#way.requests.begin(this.meter, '', 0);
    return record ? logged(record, this.#associate(record)) : this.#associate();
  }

  async #associate(record?: RequestRecord): Promise<Association> {
    const { meter, line, client } = this;
    const { exits, guards, resolver, limits, counter } = this.#way;
    const guard = guards.of(meter.facts.product);
    const target = targetOf(line, meter.facts.sessionMinutes);
    record?.asks(target);
    this.#checkStanding();
    this.#checkRules(target);
    const { planId, product, sessionRenewals: renewals } = meter.facts;
    const { exit, country } = await exits.pick(planId, product, target, { local: true, renewals });
    const { definition } = exit;
    // A session may hold an exit of another kind already.
    if (definition.kind !== 'local') throw fail('exit_unavailable');
    record?.leavesBy(exit, country);
    const leave = enterPlan(meter, limits.connectionsPerPlan, counter);
    exit.connections++;
    const release = () => {
      leave();
      exit.connections--;
    };
    try {
      await meter.ready(limits.leaseWaitMs);
      this.#checkStanding();
    } catch (error) {
      release();
      throw error;
    }
    return {
      meter,
      client,
      address: definition.address,
      network: this.#network?.id,
      release,
      originOf: (host) => keyed({ country, session: target.session ?? null, host: host.toLowerCase(), client }, exit.name),
      judge(host, port) {
        meter.rules?.checkTarget(host);
        return judged(guard, resolver, exit, host, port);
      },
    };
  }
}
