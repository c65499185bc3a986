// Authorises what stays open again, sockets and event streams alike, at intervals and after each notice of a change.
import { SECOND } from '#platform/clock.ts';
import { Failure } from '#platform/errors.ts';
import type { Origin, Viewer } from '#platform/identity.ts';
import type { Access } from '../sign-in/access.ts';
import { type Credential, secretOf } from './socket-connections.ts';

export interface RecheckLimits {
  recheckMs: number;
  recheckAtOnce: number;
}

export const RECHECK_LIMITS: RecheckLimits = {
  /** How often without a notice: what a revoked key holds open ends within a second. */
  recheckMs: 0.8 * SECOND,
  /** Look-ups at the same time during one check. */
  recheckAtOnce: 16,
};

/** Asks accounts who holds a credential. Throws as `keyNow` and `sessionNow` do. */
export const holderNow = (access: Pick<Access, 'keyNow' | 'sessionNow'>, credential: Credential, origin: Origin): Promise<Viewer> =>
  'key' in credential ? access.keyNow(credential.key, origin) : access.sessionNow(credential.token, origin);

interface Holder {
  origin: Origin;
  credential?: Credential;
  viewer?: Viewer;
}

interface Held<One extends Holder> {
  /** All that are open now. */
  all(): Iterable<One>;
  /** Ends one whose credential is no longer valid. */
  refuse(one: One, failure: Failure): void;
  /** Ends one whose holder's rights have changed: it began with the old ones, so the client must open it again. */
  renew(one: One): void;
}

/** Only one check runs at a time; when another one is due meanwhile, it follows. */
export class Recheck<One extends Holder> {
  readonly #access: Access;
  readonly #held: Held<One>;
  readonly #atOnce: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #isChecking = false;
  #again = false;

  constructor(access: Access, held: Held<One>, { recheckMs, recheckAtOnce }: RecheckLimits) {
    this.#access = access;
    this.#held = held;
    this.#atOnce = recheckAtOnce;
    this.#timer = setInterval(() => void this.#run(), recheckMs).unref();
    this.#stopListening = access.onInvalidate(() => void this.#run());
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
  }

  async #run(): Promise<void> {
    this.#again = this.#isChecking;
    if (this.#isChecking) return;
    this.#isChecking = true;
    await this.#checkAll();
    this.#isChecking = false;
    if (this.#again) await this.#run();
  }

  /** Asks about every credential in use, once for each address: a key may be bound to addresses, so that a look-up for one says nothing about another. */
  async #checkAll(): Promise<void> {
    const holders = Map.groupBy(
      this.#held.all(),
      ({ credential, origin }) => `${origin.address} ${credential && secretOf(credential)}`,
    ).values();
    // The workers share one iterator: each takes the next credential when it is done with one.
    await Promise.all(
      Array.from({ length: this.#atOnce }, async () => {
        for (const those of holders) await this.#check(those);
      }),
    );
  }

  async #check(those: readonly One[]): Promise<void> {
    const [first] = those;
    if (!first?.credential) return;
    try {
      const viewer = await holderNow(this.#access, first.credential, first.origin);
      if (first.viewer && rightsOf(viewer) !== rightsOf(first.viewer)) for (const one of those) this.#held.renew(one);
    } catch (error) {
      // A look-up that failed says nothing about the credential.
      if (error instanceof Failure && error.status < 500) for (const one of those) this.#held.refuse(one, error);
    }
  }
}

const rightsOf = (viewer: Viewer): string =>
  viewer.kind === 'session' ? JSON.stringify([viewer.accountId, viewer.staff, viewer.permissions, viewer.member]) : viewer.kind;
