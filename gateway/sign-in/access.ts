// Finds out who is calling: turns an API key or a session cookie into a viewer, and counts the requests of keys.
import { hash } from 'node:crypto';
import { addressGroup } from '#platform/address-group.ts';
import { type Ask, type Askable, askerOf } from '#platform/ask.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import { type ErrorCode, Failure, fail, toFailure } from '#platform/errors.ts';
import { type Origin, type Scope, type SessionViewer, type Viewer, systemViewer } from '#platform/identity.ts';
import { inTime } from '#platform/in-time.ts';
import type { Log } from '#platform/log.ts';
import { Lru } from '#platform/lru.ts';
import type { StaffPermission } from '#platform/staff-permissions.ts';
import type { Member } from '#platform/team-permissions.ts';
import { bearerKey } from '../http/bearer.ts';
import type { Rate, RateLimiter } from '../http/rate-limit.ts';

type KeyViewer = Viewer & { kind: 'key' };

/** Either a viewer or the failure to answer with. The rate is for the headers in both cases. */
export interface Admission {
  viewer?: KeyViewer;
  failure?: Failure;
  rate: Rate;
}

export interface Counted {
  failure?: Failure;
  rate?: Rate;
}

export interface Access {
  /**
   * Looks up a key and counts its request. Failures: key_missing, key_malformed, key_unknown, key_expired, key_revoked (401), account_suspended, api_not_allowed,
   * address_not_allowed (403), rate_limited (429). Without a valid key the request counts in the bucket of the client's address, and the failure stays the same.
   * `tokens`: access tokens of apps are admitted too; such a request counts in the bucket of the app's key.
   */
  admitKey(authorization: string | undefined, origin: Origin, accepts?: { tokens: boolean }): Promise<Admission>;
  /**
   * Counts the generations of one operation against 120 a minute. For a key, all but the first, which its request has counted already; for a session, all, in a
   * bucket of its account. `rate` is undefined when nothing was counted. Failures: rate_limited.
   */
  countGenerations(by: { authorization: string } | { accountId: string }, generations: number): Promise<Counted>;
  /** The viewer of a session cookie; anonymous without a cookie, and when the session has ended. */
  admitSession(token: string | undefined, origin: Origin): Promise<Viewer>;
  /**
   * The viewer of a key (bearerKey) by a look-up in the accounts subgraph, neither counted nor cached; for connections that stay open. Throws the failures above.
   * Calls for the same key from the same address at the same time share one look-up.
   */
  keyNow(key: string, origin: Origin): Promise<KeyViewer>;
  /** The same for a session. Throws session_invalid. */
  sessionNow(token: string, origin: Origin): Promise<SessionViewer>;
  /** Removes a key from the cache; to be called when a key is revoked or an account's permission changes. */
  invalidate(keyId: string | 'all'): void;
  /** Calls the listener after each `invalidate`; returns the function that removes it. */
  onInvalidate(listener: () => void): () => void;
}

export interface AccessOptions {
  accounts: Askable;
  limiter: RateLimiter;
  clock: Clock;
  log: Log;
}

/** How long the look-up of a key is cached: a revocation takes effect within this time even when its notice is lost. */
export const KEY_CACHE_MS = SECOND;
const KEYS_CACHED = 10_000;
/** The look-up reads one row by its key: a longer wait means that the database hangs. */
const LOOK_UP_MS = 2_500;

const CALLER_OF_KEY =
  'query callerOfApiKey($key: String!) { caller: callerOfApiKey(key: $key) { accountId role keyId scopes documentsOnly expiresAt } }';
const CALLER_OF_TOKEN =
  'query callerOfAccessToken($token: String!) { caller: callerOfAccessToken(token: $token) { accountId role keyId keyHash scopes expiresAt } }';
const CALLER_OF_SESSION =
  'query callerOfSession($token: String!) { caller: callerOfSession(token: $token) { accountId role permissions sessionId impersonatedBy expiresAt member { accountId role only } } }';

interface Caller {
  accountId: string;
  role: 'CUSTOMER' | 'STAFF';
  permissions?: StaffPermission[];
  sessionId?: string | null;
  keyId?: string | null;
  keyHash?: string | null;
  scopes?: Scope[];
  documentsOnly?: boolean;
  impersonatedBy?: string | null;
  member?: (Omit<Member, 'only'> & { only: string[] | null }) | null;
  expiresAt?: string | null;
}

interface Known {
  caller: Promise<Caller>;
  until: number;
  keyId?: string;
  bucket: string;
}

/** The form of access tokens (`formats` of oidc-provider): an API key is longer, so none is taken for the other. */
const ACCESS_TOKEN = /^[\w-]{43}$/;

/** With these failures the key itself is valid: the request counts in the key's bucket, not in the address's. */
const KEY_STAYS_KNOWN: ReadonlySet<ErrorCode> = new Set(['account_suspended', 'api_not_allowed', 'address_not_allowed']);

export function createAccess({ accounts, limiter, clock, log }: AccessOptions): Access {
  const callers = new Callers(accounts, clock);
  const listeners = new Set<() => void>();

  const refused = async (failure: Failure, { address }: Origin): Promise<Admission> => ({
    failure,
    rate: (await limiter.take(`address:${addressGroup(address)}`)).rate,
  });

  return {
    async admitKey(authorization, origin, accepts) {
      const key = bearerKey(authorization);
      if (key instanceof Failure) return refused(key, origin);
      const entry = callers.ofKeyCached(key, origin, accepts?.tokens === true && ACCESS_TOKEN.test(key));
      let caller: Caller | undefined;
      let failure: Failure | undefined;
      try {
        caller = await entry.caller;
      } catch (error) {
        failure = toFailure(error);
        if (!(error instanceof Failure)) log.error({ requestId: origin.requestId, err: error }, 'a key could not be looked up');
        if (!KEY_STAYS_KNOWN.has(failure.code)) return refused(failure, origin);
      }
      const { passed, rate } = await limiter.take(entry.bucket);
      if (!passed) return { failure: fail('rate_limited', { retry_after_seconds: rate.resetSeconds }), rate };
      return caller ? { viewer: toKeyViewer(caller, origin), rate } : { ...(failure && { failure }), rate };
    },

    async countGenerations(by, generations) {
      const key = 'authorization' in by ? bearerKey(by.authorization) : undefined;
      if (key instanceof Failure) return { failure: key };
      const count = key === undefined ? generations : generations - 1;
      if (count <= 0) return {};
      const { passed, rate } = await limiter.take('accountId' in by ? `generations:${by.accountId}` : bucketOf(key ?? ''), count);
      return { rate, ...(!passed && { failure: fail('rate_limited', { retry_after_seconds: rate.resetSeconds }) }) };
    },

    async admitSession(token, origin) {
      if (!token) return { kind: 'anonymous', ...origin };
      try {
        return await this.sessionNow(token, origin);
      } catch (error) {
        if (error instanceof Failure && error.code === 'session_invalid') return { kind: 'anonymous', ...origin };
        throw error;
      }
    },

    async keyNow(key, origin) {
      return toKeyViewer(await callers.now(CALLER_OF_KEY, { key }, origin), origin);
    },

    async sessionNow(token, origin) {
      const caller = await callers.now(CALLER_OF_SESSION, { token }, origin);
      const { accountId, sessionId, role, permissions = [], impersonatedBy: by, member, expiresAt } = caller;
      return {
        kind: 'session',
        accountId,
        sessionId: sessionId ?? '',
        staff: role === 'STAFF',
        ...(permissions.length > 0 && { permissions }),
        ...(member && { member: toMember(member) }),
        ...(by && { impersonation: { by, until: expiresAt ?? '' } }),
        ...origin,
      };
    },

    invalidate(keyId) {
      callers.forget(keyId);
      for (const listener of listeners) listener();
    },

    onInvalidate(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Looks up whose a key or a session is, in the accounts subgraph. */
class Callers {
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #cached = new Lru<Known>(KEYS_CACHED);
  /** Look-ups under way whose results are not cached, by credential and address. */
  readonly #underWay = new Map<string, Promise<Caller>>();

  constructor(accounts: Askable, clock: Clock) {
    this.#ask = askerOf(accounts);
    this.#clock = clock;
  }

  /** Look-ups of the same key at the same time are shared; a failed one is not cached. */
  ofKeyCached(key: string, origin: Origin, isToken = false): Known {
    const now = this.#clock.now().getTime();
    // A key may be bound to addresses: a look-up for one address says nothing about another.
    const place = `${isToken ? 'token ' : ''}${origin.address} ${key}`;
    const found = this.#cached.get(place);
    if (found && now < found.until) return found;
    const entry: Known = {
      caller: isToken ? this.#lookUp(CALLER_OF_TOKEN, { token: key }, origin) : this.#lookUp(CALLER_OF_KEY, { key }, origin),
      until: now + KEY_CACHE_MS,
      // The hash, not the id: the look-up of a key whose account may not use the API fails and returns no id, but the key needs a bucket too.
      bucket: bucketOf(key),
    };
    this.#cached.set(place, entry);
    entry.caller.then(
      ({ keyId, keyHash, expiresAt }) => {
        if (keyId) entry.keyId = keyId;
        if (keyHash) entry.bucket = bucketOfHash(Buffer.from(keyHash, 'hex').toString('base64url'));
        if (expiresAt) entry.until = Math.min(entry.until, new Date(expiresAt).getTime());
      },
      () => {
        if (this.#cached.get(place) === entry) this.#cached.delete(place);
      },
    );
    return entry;
  }

  /** Shares one look-up among all callers that ask while it runs: a flood of connections with one credential causes one query to the database. */
  now(query: string, variables: Record<string, string>, origin: Origin): Promise<Caller> {
    const place = `${origin.address} ${Object.values(variables).join(' ')}`;
    const found = this.#underWay.get(place);
    if (found) return found;
    const caller = this.#lookUp(query, variables, origin);
    this.#underWay.set(place, caller);
    const over = () => {
      if (this.#underWay.get(place) === caller) this.#underWay.delete(place);
    };
    caller.then(over, over);
    return caller;
  }

  forget(keyId: string | 'all'): void {
    // A look-up that began before the notice may return an old state: later callers start a new one.
    this.#underWay.clear();
    if (keyId === 'all') return this.#cached.clear();
    // The id of a look-up under way is not known yet, and its result may be old already: these entries are removed too.
    for (const [place, entry] of this.#cached.entries()) if (entry.keyId === undefined || entry.keyId === keyId) this.#cached.delete(place);
  }

  async #lookUp(query: string, variables: Record<string, string>, origin: Origin): Promise<Caller> {
    const viewer = { ...systemViewer('gateway', origin.requestId), address: origin.address };
    // Two of these look-ups and an operation fit into the time for which a connection may be silent.
    const { caller } = await inTime(this.#ask<{ caller?: Caller | null }>(query, variables, viewer), LOOK_UP_MS);
    if (!caller) throw fail('internal');
    return caller;
  }
}

const bucketOf = (key: string): string => bucketOfHash(hash('sha256', key, 'base64url'));
const bucketOfHash = (base64: string): string => `key:${base64.slice(0, 22)}`;

const toMember = ({ accountId, role, only }: NonNullable<Caller['member']>): Member => ({ accountId, role, ...(only && { only }) });

const toKeyViewer = ({ accountId, keyId, scopes, documentsOnly }: Caller, origin: Origin): KeyViewer => ({
  kind: 'key',
  accountId,
  keyId: keyId ?? '',
  scopes: scopes ?? [],
  ...(documentsOnly && { documentsOnly }),
  ...origin,
});
