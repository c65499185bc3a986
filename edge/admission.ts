// The one way to a target, whatever protocol asks: who is it, may it, from which exit, is the target allowed, connect.
import { addressGroup } from '#platform/address-group.ts';
import { fail, toFailure } from '#platform/errors.ts';
import { type KeyedOrigin, keyed } from './protocol/origin.ts';
import { enter } from './connection-counter.ts';
import { DialError, type Upstream } from './dial.ts';
import type { ExitHealth } from './exit-health.ts';
import { type Exit, type ExitPools, reaches } from './exits.ts';
import { judgePassword } from './fingerprint.ts';
import { type LineTarget, baseOf, readLineTarget } from './protocol/line-username.ts';
import type { PlanDirectory } from './plan-directory.ts';
import type { Meter, PlanMeter } from './plan-meter.ts';
import { judged } from './target-guard.ts';
import type { WayOut } from './way-out.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** A connection to the target, counted under `origin`. `release` once it is over. */
export interface Opened {
  meter: Meter;
  upstream: Upstream;
  origin: KeyedOrigin;
  release(): void;
}

/** Datagrams of a login leave from one address of this machine. `release` once it is over. */
export interface Association {
  meter: Meter;
  client: string;
  address: string;
  originOf(host: string): KeyedOrigin;
  /** The address to send to. Throws when the target is not allowed. */
  judge(host: string, port: number): Promise<string>;
  release(): void;
}

/** Somebody whose password is right; what else is wrong with the line is told at the request, since SOCKS5 has no words for it before. */
export interface Login {
  /** Throws every code of REFUSALS but those of `logIn`. */
  open(host: string, port: number): Promise<Opened>;
  /** Throws as `open` does; `exit_unavailable` where only parent proxies stand, which take no datagrams from us. */
  associate(): Promise<Association>;
}

/** The way in at a port: of all generated lines, or of one static address. */
export interface Admission {
  /**
   * Throws `proxy_credentials_wrong`, `proxy_password_replaced` or `metering_unavailable`; rejects late with `too_many_attempts` where wrong ones
   * came again and again. Right credentials pass whatever was tried before.
   */
  logIn(credentials: Credentials | undefined, client: string): Login | Promise<Login>;
}

export interface AdmissionOptions extends WayOut {
  plans: PlanDirectory;
  exits: ExitPools;
  health: ExitHealth;
}

export function createAdmission({ plans, exits, health, guards, resolver, dial, attempts, limits, counter }: AdmissionOptions): Admission {
  function verify(meter: PlanMeter | undefined, { username, password }: Credentials, base: string, client: string): Login | Promise<never> {
    const verdict = judgePassword(password, meter?.facts);
    if (!meter || verdict === 'wrong') return attempts.refuse(client, base);
    if (verdict === 'right') return new PlanLogin(meter, username, client);
    // Whoever knew the password before a reset is late and no guesser.
    plans.leases.triedOldPassword(meter.facts.planId, addressGroup(client));
    throw fail('proxy_password_replaced');
  }

  async function connect(
    meter: PlanMeter,
    target: LineTarget,
    addresses: readonly string[],
    port: number,
  ): Promise<{ upstream: Upstream; exit: Exit }> {
    const failed = new Set<Exit>();
    for (;;) {
      const picked = exits.pick(meter.facts.planId, meter.facts.product, target, failed);
      const exit = picked instanceof Promise ? await picked : picked;
      const address = addresses.find((candidate) => reaches(exit, candidate));
      try {
        if (address === undefined) throw new DialError(fail('exit_unavailable'), true);
        const upstream = await dial(exit, { address, port }, limits.connectMs);
        health.worked(exit);
        return { upstream, exit };
      } catch (error) {
        if (!(error instanceof DialError)) throw error;
        if (error.exitFault && address !== undefined) health.faulted(exit);
        // Nothing was sent yet: a rotating line may leave from elsewhere, a sticky one never moves silently.
        if (!error.exitFault || target.session !== undefined || failed.size >= limits.exitRetries) throw error.failure;
        failed.add(exit);
        if (exits.all.length <= failed.size) throw error.failure;
      }
    }
  }

  class PlanLogin implements Login {
    readonly meter: PlanMeter;
    readonly username: string;
    readonly client: string;

    constructor(meter: PlanMeter, username: string, client: string) {
      this.meter = meter;
      this.username = username;
      this.client = client;
    }

    async open(host: string, port: number): Promise<Opened> {
      const { meter, username, client } = this;
      const guard = guards.of(meter.facts.product);
      const target = readLineTarget(username, meter.facts.sessionMinutes);
      if (meter.refusal) throw meter.refusal;
      guard.checkPort(port);
      const asked = guard.readHost(host);
      const leave = enter(meter, meter.facts.planId, limits.connectionsPerPlan, counter);
      let release = leave;
      try {
        const quota = meter.ready(limits.leaseWaitMs);
        // Handled below; until then a refusal is not an unhandled one.
        quota?.catch(() => {});
        const addresses = 'name' in asked ? await resolver.resolve(asked.name) : [asked.address];
        guard.checkAddresses(addresses, port);
        const { upstream, exit } = await connect(meter, target, addresses, port);
        exit.connections++;
        release = () => {
          leave();
          exit.connections--;
          release = () => {};
        };
        try {
          await quota;
          if (meter.refusal) throw meter.refusal;
        } catch (error) {
          upstream.socket.destroy();
          throw error;
        }
        const origin = keyed({
          country: target.country,
          session: target.session ?? null,
          host: 'name' in asked ? asked.name : asked.address,
          client,
        });
        return { meter, upstream, origin, release: () => release() };
      } catch (error) {
        release();
        throw toFailure(error);
      }
    }

    async associate(): Promise<Association> {
      const { meter, username, client } = this;
      const guard = guards.of(meter.facts.product);
      const target = readLineTarget(username, meter.facts.sessionMinutes);
      if (meter.refusal) throw meter.refusal;
      const exit = await exits.pick(meter.facts.planId, meter.facts.product, target);
      const { definition } = exit;
      if (definition.kind !== 'local') throw fail('exit_unavailable');
      const leave = enter(meter, meter.facts.planId, limits.connectionsPerPlan, counter);
      exit.connections++;
      const release = () => {
        leave();
        exit.connections--;
      };
      try {
        await meter.ready(limits.leaseWaitMs);
      } catch (error) {
        release();
        throw error;
      }
      return {
        meter,
        client,
        address: definition.address,
        release,
        originOf: (host) => keyed({ country: target.country, session: target.session ?? null, host: host.toLowerCase(), client }),
        judge: (host, port) => judged(guard, resolver, exit, host, port),
      };
    }
  }

  return {
    logIn(credentials, client) {
      // Without credentials nothing was guessed: many clients ask so first, to be told what they need.
      if (!credentials) throw fail('proxy_credentials_wrong');
      const base = baseOf(credentials.username);
      if (base === undefined) return attempts.refuse(client, '');
      const found = plans.find(base);
      return found instanceof Promise
        ? found.then((meter) => verify(meter, credentials, base, client))
        : verify(found, credentials, base, client);
    },
  };
}
