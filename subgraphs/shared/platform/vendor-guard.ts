// The only way to call outside systems: every wait has a limit, a circuit breaker stops calls to a vendor that fails, and all calls are counted. A vendor that
// hangs delays only its own callers, and only for a moment.
import { type Breaker, createBreaker } from './breaker.ts';
import { type Clock, SECOND } from './clock.ts';
import { type Failure, fail } from './errors.ts';
import { TooLate, inTime } from './in-time.ts';
import type { Log } from './log.ts';
import { Lru } from './lru.ts';
import type { Metrics } from './metrics.ts';
import { traced } from './tracing.ts';

/** Failures in a row that open the breaker, and how long no call is made then. */
const BREAKER = { failures: 5, restMs: 10 * SECOND };
/** The limit when a person waits: less than a connection may be idle (gateway/http/front.ts). */
export const PERSON_WAITS_MS = 10 * SECOND;
/** The limit for one operation at a vendor, which may be several requests. */
export const VENDOR_MS = 60 * SECOND;
/** How many breakers are kept for a vendor whose parts have their own addresses. */
const PARTS = 10_000;

type Method = (...args: never[]) => unknown;
type MethodName<Provider> = { [Name in keyof Provider]: Provider[Name] extends Method ? Name : never }[keyof Provider];

export interface GuardTerms {
  /** The name in logs and metrics. */
  vendor: string;
  /** The limit in milliseconds for one call of a method, which may make several requests. */
  timeoutMs: number;
  /** Whether an error means that the vendor is in trouble; any other error counts as its answer. */
  isTrouble(error: unknown): boolean;
  /** Makes the error that is thrown instead of trouble, after a timeout and while the breaker is open. Default: `vendor_unavailable`. */
  refusal?(cause: Error, retryAfterSeconds: number): Error;
  /** For a vendor whose parts fail independently: which part a call is for. Each part has its own breaker. */
  partOf?(args: readonly unknown[]): string;
}

/** Exceptions for some methods of a provider. */
export interface GuardedMethods<Provider> {
  /** A person waits for them: the limit is ten seconds. */
  hasty?: readonly MethodName<Provider>[];
  /** They make no request, so they are not guarded. */
  local?: readonly MethodName<Provider>[];
}

/** Wraps a provider: each method has a time limit, and is refused at once while its breaker is open. */
export type Guard = <Provider extends object>(provider: Provider, methods?: GuardedMethods<Provider>) => Provider;

export interface GuardParts {
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const unavailable = (cause: Error, seconds: number): Failure =>
  Object.assign(fail('vendor_unavailable', { retry_after_seconds: seconds }), { cause });

/** Providers that are wrapped by the same guard share their breakers. */
export function createGuard(terms: GuardTerms, parts: GuardParts): Guard {
  const { vendor, timeoutMs, refusal = unavailable } = terms;
  const breakers = new Lru<Breaker>(PARTS);
  const breakerOf = (part: string): Breaker => {
    const known = breakers.get(part);
    if (known) return known;
    const breaker = createBreaker({
      ...BREAKER,
      clock: parts.clock,
      changed(state) {
        parts.metrics.vendorsOpen.set({ vendor }, [...breakers.entries()].filter(([, each]) => each.state !== 'closed').length);
        if (state === 'open') parts.log.error({ vendor, part }, 'a vendor does not answer and is not asked for a while');
        else if (state === 'closed') parts.log.warn({ vendor, part }, 'a vendor answers again');
      },
    });
    breakers.set(part, breaker);
    return breaker;
  };
  const count = (outcome: string) => parts.metrics.vendorCalls.inc({ vendor, outcome });
  const seconds = parts.metrics.vendorSeconds.labels(vendor);

  async function call(name: string, work: (...args: unknown[]) => unknown, args: unknown[], limitMs: number): Promise<unknown> {
    const breaker = breakerOf(terms.partOf?.(args) ?? '');
    if (!breaker.admits()) {
      count('not_asked');
      throw refusal(new Error(`${vendor} has not answered lately and is not asked`), breaker.retryAfterSeconds());
    }
    const started = performance.now();
    try {
      const answer = await traced({ name: `${vendor} ${name}`, kind: 'client', attributes: { 'peer.service': vendor } }, () =>
        inTime(work(...args), limitMs),
      );
      breaker.succeeded();
      count('answered');
      return answer;
    } catch (error) {
      if (!(error instanceof TooLate) && !terms.isTrouble(error)) {
        breaker.succeeded();
        count('refused');
        throw error;
      }
      breaker.failed();
      count('trouble');
      parts.log.warn({ vendor, method: name, error: String(error) }, 'a vendor did not answer');
      throw refusal(error as Error, breaker.state === 'open' ? breaker.retryAfterSeconds() : 1);
    } finally {
      seconds.observe((performance.now() - started) / 1_000);
    }
  }

  return <Provider extends object>(provider: Provider, { hasty = [], local = [] }: GuardedMethods<Provider> = {}): Provider => {
    const guarded = namesOf(provider).map((name) => {
      const key = name as MethodName<Provider>;
      const value: unknown = provider[key];
      if (typeof value !== 'function') return [name, value];
      const work = value.bind(provider);
      if (local.includes(key)) return [name, work];
      const limitMs = hasty.includes(key) ? Math.min(timeoutMs, PERSON_WAITS_MS) : timeoutMs;
      return [name, (...args: unknown[]) => call(name, work, args, limitMs)];
    });
    return Object.fromEntries(guarded) as Provider;
  };
}

/** The vendors that this process does not call for a while, because they do not answer. */
export const vendorsAway = async ({ vendorsOpen }: Pick<Metrics, 'vendorsOpen'>): Promise<string[]> =>
  (await vendorsOpen.get()).values.filter(({ value }) => value > 0).map(({ labels }) => String(labels.vendor));

/** The names of an object's own members and of its class's methods. */
function namesOf(provider: object): string[] {
  const names = Object.keys(provider);
  for (let type = Object.getPrototypeOf(provider); type && type !== Object.prototype; type = Object.getPrototypeOf(type))
    names.push(...Object.getOwnPropertyNames(type).filter((name) => name !== 'constructor'));
  return [...new Set(names)];
}
