// Live figures for one process. One listener follows the database's notices; a changed plan is read once for all subscribers, and at most four times a second.
// The last committed figures are always delivered.
import type { Clock } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { Notifications } from '#platform/notifications.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { bytesPerSecond } from '../domain/usage-rate.ts';
import { plansById, plansOfAccount } from '../../plans/entities/plan.ts';
import { USAGE_CHANNEL } from '../../plans/entities/plan-figures.ts';

/** The shortest time between two deliveries of a plan: at most four a second. */
const GAP_MS = 250;
const RETRY_MS = 1_000;
/** A rate falls while nothing is reported. So figures with a rate above zero are read and sent again after this time, until it is zero. */
const FALLING_MS = 2_000;

export interface UsageFeed {
  /** Calls `listener` with the committed figures of each changed plan of the account, or of one plan, from now on. Returns a function that stops this. */
  watch(filter: { accountId: string; planId?: string }, listener: (plan: Plan) => void): () => void;
  /** To be called with figures that a subscriber got by another way, so that its falling rate is sent too. */
  shown(plan: Plan): void;
  close(): Promise<void>;
}

interface Watcher {
  accountId: string;
  planId: string | undefined;
  listener: (plan: Plan) => void;
}

export interface UsageFeedOptions {
  em: () => EntityManager;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}

class PlanFigures implements UsageFeed {
  readonly #em: () => EntityManager;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #accounts = new Map<string, Set<Watcher>>();
  /** Plan id -> account id of changes that are not read yet. */
  readonly #changed = new Map<string, string>();
  /** Plans that were delivered less than GAP_MS ago. A change of one stays in `#changed` until its timer ends. */
  readonly #resting = new Map<string, NodeJS.Timeout>();
  /** Plans whose last delivered rate was above zero, and which will be sent again as it falls. */
  readonly #falling = new Map<string, NodeJS.Timeout>();
  #reading: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #stop: () => void = () => {};

  constructor({ em, clock, log }: UsageFeedOptions) {
    this.#em = em;
    this.#clock = clock;
    this.#log = log;
  }

  async start(notifications: Notifications): Promise<void> {
    this.#stop = await notifications.listen(USAGE_CHANNEL, (payload) => {
      if (payload === undefined) return void this.#noteAll();
      for (const line of payload.split('\n')) {
        const [accountId = '', planId = ''] = line.split(' ');
        this.#note(accountId, planId);
      }
    });
  }

  watch({ accountId, planId }: Parameters<UsageFeed['watch']>[0], listener: (plan: Plan) => void): () => void {
    const watcher: Watcher = { accountId, planId, listener };
    const watchers = this.#accounts.get(accountId) ?? new Set();
    this.#accounts.set(accountId, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#accounts.get(accountId) === watchers) this.#accounts.delete(accountId);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stop();
    clearTimeout(this.#retry);
    for (const timer of [...this.#resting.values(), ...this.#falling.values()]) clearTimeout(timer);
    await this.#reading;
  }

  #interested(accountId: string, planId: string): Watcher[] {
    return [...(this.#accounts.get(accountId) ?? [])].filter((watcher) => watcher.planId === undefined || watcher.planId === planId);
  }

  #note(accountId: string, planId: string): void {
    if (this.#closed || this.#interested(accountId, planId).length === 0) return;
    this.#changed.set(planId, accountId);
    this.#wake();
  }

  /** Starts reading unless a read runs; what changes meanwhile is read afterwards. */
  #wake(): void {
    this.#reading ??= this.#readChanged().finally(() => {
      this.#reading = undefined;
      if (!this.#closed && [...this.#changed.keys()].some((id) => !this.#resting.has(id))) this.#wake();
    });
  }

  async #readChanged(): Promise<void> {
    const due = [...this.#changed].filter(([id]) => !this.#resting.has(id));
    if (due.length === 0 || this.#closed) return;
    for (const [id] of due) {
      this.#changed.delete(id);
      this.#rest(id, GAP_MS);
    }
    try {
      for (const plan of await plansById(
        this.#em(),
        due.map(([id]) => id),
        this.#clock.now(),
      )) {
        for (const watcher of this.#interested(plan.accountId, plan.id)) watcher.listener(plan);
        this.shown(plan);
      }
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'reading live figures failed');
      for (const [id, accountId] of due) {
        this.#changed.set(id, accountId);
        this.#rest(id, RETRY_MS);
      }
    }
  }

  shown(plan: Plan): void {
    const { id, accountId } = plan;
    clearTimeout(this.#falling.get(id));
    this.#falling.delete(id);
    if (this.#closed || bytesPerSecond(plan) === 0n) return;
    this.#falling.set(
      id,
      setTimeout(() => {
        this.#falling.delete(id);
        this.#note(accountId, id);
      }, FALLING_MS),
    );
  }

  #rest(id: string, milliseconds: number): void {
    clearTimeout(this.#resting.get(id));
    this.#resting.set(
      id,
      setTimeout(() => {
        this.#resting.delete(id);
        if (this.#changed.has(id)) this.#wake();
      }, milliseconds),
    );
  }

  /** After missed notices every watched plan may have changed. */
  async #noteAll(): Promise<void> {
    clearTimeout(this.#retry);
    try {
      for (const accountId of this.#accounts.keys())
        for (const { id } of await plansOfAccount(this.#em(), accountId, this.#clock.now())) this.#note(accountId, id);
    } catch (error) {
      this.#log.warn({ error: String(error) }, 'reading live figures failed');
      if (!this.#closed) this.#retry = setTimeout(() => void this.#noteAll(), RETRY_MS);
    }
  }
}

export async function startUsageFeed(options: UsageFeedOptions): Promise<UsageFeed> {
  const feed = new PlanFigures(options);
  await feed.start(options.notifications);
  return feed;
}
