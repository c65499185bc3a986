// Live figures for one process: one listener on the database's notices, one read per changed plan whatever the number of subscribers, and at most
// four a second per plan. What was committed last is always delivered.
import type { Clock } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { Notifications } from '#platform/notifications.ts';
import type { Plan } from '../../plans/domain/plan.ts';
import { bytesPerSecond } from '../domain/usage-rate.ts';
import { plansById, plansOfAccount } from '../../plans/entities/plan.ts';
import { USAGE_CHANNEL } from '../../plans/entities/plan-figures.ts';

/** At most 4 a second. */
const GAP_MS = 250;
const RETRY_MS = 1_000;
/** A rate falls while nothing is reported, so that figures with one are told again: to nothing at most this late. */
const FALLING_MS = 2_000;

export interface UsageFeed {
  /** Calls back with the committed figures of each changed plan of the account, or of the one plan, from now on. Returns how to stop. */
  watch(filter: { accountId: string; planId?: string }, listener: (plan: Plan) => void): () => void;
  /** Figures that a watcher has from elsewhere: their rate falls as that of figures from here. */
  shown(plan: Plan): void;
  close(): Promise<void>;
}

interface Watcher {
  accountId: string;
  planId: string | undefined;
  listener: (plan: Plan) => void;
}

export async function startUsageFeed(options: {
  em: () => EntityManager;
  notifications: Notifications;
  clock: Clock;
  log: Log;
}): Promise<UsageFeed> {
  const { em, clock, log } = options;
  const accounts = new Map<string, Set<Watcher>>();
  /** Plan id -> account id of changes that are not read yet. */
  const changed = new Map<string, string>();
  /** Plans delivered less than a gap ago; a change of one waits in `changed` until its timer ends. */
  const resting = new Map<string, NodeJS.Timeout>();
  /** Plans whose rate was told last and will be told again as it falls. */
  const falling = new Map<string, NodeJS.Timeout>();
  let reading: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const interested = (accountId: string, planId: string) =>
    [...(accounts.get(accountId) ?? [])].filter((watcher) => watcher.planId === undefined || watcher.planId === planId);

  function note(accountId: string, planId: string): void {
    if (closed || interested(accountId, planId).length === 0) return;
    changed.set(planId, accountId);
    wake();
  }
  /** Reads at most once at a time; what changes meanwhile is read next. */
  function wake(): void {
    reading ??= readChanged().finally(() => {
      reading = undefined;
      if (!closed && [...changed.keys()].some((id) => !resting.has(id))) wake();
    });
  }
  async function readChanged(): Promise<void> {
    const due = [...changed].filter(([id]) => !resting.has(id));
    if (due.length === 0 || closed) return;
    for (const [id] of due) {
      changed.delete(id);
      rest(id, GAP_MS);
    }
    try {
      for (const plan of await plansById(
        em(),
        due.map(([id]) => id),
        clock.now(),
      )) {
        for (const watcher of interested(plan.accountId, plan.id)) watcher.listener(plan);
        shown(plan);
      }
    } catch (error) {
      log.warn({ error: String(error) }, 'reading live figures failed');
      for (const [id, accountId] of due) {
        changed.set(id, accountId);
        rest(id, RETRY_MS);
      }
    }
  }
  function shown(plan: Plan): void {
    const { id, accountId } = plan;
    clearTimeout(falling.get(id));
    falling.delete(id);
    if (closed || bytesPerSecond(plan) === 0n) return;
    falling.set(
      id,
      setTimeout(() => {
        falling.delete(id);
        note(accountId, id);
      }, FALLING_MS),
    );
  }
  function rest(id: string, milliseconds: number): void {
    clearTimeout(resting.get(id));
    resting.set(
      id,
      setTimeout(() => {
        resting.delete(id);
        if (changed.has(id)) wake();
      }, milliseconds),
    );
  }
  /** Notices were missed: every watched plan may have changed. */
  async function noteAll(): Promise<void> {
    clearTimeout(retry);
    try {
      for (const accountId of accounts.keys()) for (const { id } of await plansOfAccount(em(), accountId, clock.now())) note(accountId, id);
    } catch (error) {
      log.warn({ error: String(error) }, 'reading live figures failed');
      if (!closed) retry = setTimeout(noteAll, RETRY_MS);
    }
  }

  const stop = await options.notifications.listen(USAGE_CHANNEL, (payload) => {
    if (payload === undefined) return void noteAll();
    for (const line of payload.split('\n')) {
      const [accountId = '', planId = ''] = line.split(' ');
      note(accountId, planId);
    }
  });

  return {
    watch({ accountId, planId }, listener) {
      const watcher: Watcher = { accountId, planId, listener };
      const watchers = accounts.get(accountId) ?? new Set();
      accounts.set(accountId, watchers.add(watcher));
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && accounts.get(accountId) === watchers) accounts.delete(accountId);
      };
    },
    shown,
    async close() {
      closed = true;
      stop();
      clearTimeout(retry);
      for (const timer of [...resting.values(), ...falling.values()]) clearTimeout(timer);
      await reading;
    },
  };
}
