// The one way to a target, whatever protocol asks: who is it, may it, from which exit, is the target allowed, connect.
import { hash, timingSafeEqual } from 'node:crypto';
import { Failure, fail } from '#shared/errors.ts';
import type { Origin } from '../domain/lease.ts';
import type { Attempts } from './attempts.ts';
import { DialError, type Dialler, reaches } from './dial.ts';
import type { ExitHealth } from './exit-health.ts';
import type { Exit, ExitPools } from './exits.ts';
import type { EdgeLimits } from './limits.ts';
import { type LineTarget, baseOf, readLineTarget } from './line-username.ts';
import type { PlanDirectory } from './plan-directory.ts';
import type { PlanMeter } from './plan-meter.ts';
import type { Resolver } from './resolver.ts';
import type { TargetGuard } from './target-guard.ts';
import type { Upstream } from './upstream.ts';

export interface Credentials {
  username: string;
  password: string;
}

/** Somebody whose password is right; what else is wrong with the line is told at the request, since SOCKS5 has no words for it before. */
export interface Login {
  meter: PlanMeter;
  username: string;
  client: string;
}

/** A connection to the target, counted under `origin`. `release` once it is over. */
export interface Opened {
  meter: PlanMeter;
  upstream: Upstream;
  origin: Origin;
  release(): void;
}

/** Datagrams of a login leave from one address of this machine. `release` once it is over. */
export interface Association {
  meter: PlanMeter;
  client: string;
  address: string;
  originOf(host: string): Origin;
  /** The address to send to. Throws when the target is not allowed. */
  judge(host: string, port: number): Promise<string>;
  release(): void;
}

export interface Admission {
  /** Throws `proxy_credentials_wrong`, `too_many_attempts` or `metering_unavailable`. */
  logIn(credentials: Credentials | undefined, client: string): Login | Promise<Login>;
  /** Throws every other code of REFUSALS. */
  open(login: Login, host: string, port: number): Promise<Opened>;
  /** Throws as `open` does; `exit_unavailable` where only parent proxies stand, which take no datagrams from us. */
  associate(login: Login): Promise<Association>;
}

export interface AdmissionOptions {
  plans: PlanDirectory;
  exits: ExitPools;
  health: ExitHealth;
  guard: TargetGuard;
  resolver: Resolver;
  dial: Dialler;
  attempts: Attempts;
  limits: EdgeLimits;
}

const fingerprintOf = (password: string): Buffer => hash('sha256', password, 'buffer');

export function createAdmission({ plans, exits, health, guard, resolver, dial, attempts, limits }: AdmissionOptions): Admission {
  function verify(meter: PlanMeter | undefined, { username, password }: Credentials, base: string, client: string): Login {
    // Compared also when nobody has the name: the time tells nothing.
    const given = fingerprintOf(password);
    const right = timingSafeEqual(given, meter?.facts.fingerprint ?? NOBODY);
    if (!meter || !right) {
      attempts.failed(client, base);
      throw fail('proxy_credentials_wrong');
    }
    attempts.succeeded(client, base);
    return { meter, username, client };
  }

  async function connect(
    meter: PlanMeter,
    target: LineTarget,
    addresses: readonly string[],
    port: number,
  ): Promise<{ upstream: Upstream; exit: Exit }> {
    const failed = new Set<Exit>();
    for (;;) {
      const exit = exits.pick(meter.facts.planId, meter.facts.product, target, failed);
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

  return {
    logIn(credentials, client) {
      const base = credentials && baseOf(credentials.username);
      if (!credentials || base === undefined) {
        attempts.check(client, '');
        if (credentials) attempts.failed(client, '');
        throw fail('proxy_credentials_wrong');
      }
      attempts.check(client, base);
      const found = plans.find(base);
      return found instanceof Promise
        ? found.then((meter) => verify(meter, credentials, base, client))
        : verify(found, credentials, base, client);
    },

    async open({ meter, username, client }, host, port) {
      const target = readLineTarget(username, meter.facts.sessionMinutes);
      if (meter.refusal) throw meter.refusal;
      guard.checkPort(port);
      const asked = guard.readHost(host);
      if (meter.connections >= limits.connectionsPerPlan) throw fail('connections_exhausted');
      meter.connections++;
      let release = () => {
        meter.connections--;
      };
      try {
        const quota = meter.ready(limits.leaseWaitMs);
        // Handled below; until then a refusal is not an unhandled one.
        quota?.catch(() => {});
        const addresses = 'name' in asked ? await resolver.resolve(asked.name) : [asked.address];
        guard.checkAddresses(addresses, port);
        const { upstream, exit } = await connect(meter, target, addresses, port);
        exit.connections++;
        release = () => {
          meter.connections--;
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
        const origin: Origin = {
          country: target.country,
          session: target.session ?? null,
          host: 'name' in asked ? asked.name : asked.address,
          client,
        };
        return { meter, upstream, origin, release: () => release() };
      } catch (error) {
        release();
        throw error instanceof Failure ? error : fail('internal');
      }
    },

    async associate({ meter, username, client }) {
      const target = readLineTarget(username, meter.facts.sessionMinutes);
      if (meter.refusal) throw meter.refusal;
      if (meter.connections >= limits.connectionsPerPlan) throw fail('connections_exhausted');
      const exit = exits.pick(meter.facts.planId, meter.facts.product, target);
      const { definition } = exit;
      if (definition.kind !== 'local') throw fail('exit_unavailable');
      meter.connections++;
      exit.connections++;
      const release = () => {
        meter.connections--;
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
        originOf: (host) => ({ country: target.country, session: target.session ?? null, host: host.toLowerCase(), client }),
        async judge(host, port) {
          guard.checkPort(port);
          const asked = guard.readHost(host);
          const addresses = 'name' in asked ? await resolver.resolve(asked.name) : [asked.address];
          guard.checkAddresses(addresses, port);
          const address = addresses.find((candidate) => reaches(exit, candidate));
          if (address === undefined) throw fail('exit_unavailable');
          return address;
        },
      };
    },
  };
}

const NOBODY = Buffer.alloc(32);
