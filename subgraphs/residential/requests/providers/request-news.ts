// Tells live tails that something was written into the log of their plan.
import type { Notifications } from '#platform/notifications.ts';
import { REQUEST_CHANNEL } from '../entities/request-log.ts';

export interface RequestNews {
  /** Calls `listener` after each commit that adds to the log of the plan, and when one may have been missed. Returns a function that stops this. */
  watch(planId: string, listener: () => void): () => void;
  close(): void;
}

export async function startRequestNews(notifications: Pick<Notifications, 'listen'>): Promise<RequestNews> {
  const listeners = new Map<string, Set<() => void>>();
  const stop = await notifications.listen(REQUEST_CHANNEL, (planId) => {
    const told = planId === undefined ? [...listeners.values()] : [listeners.get(planId) ?? []];
    for (const some of told) for (const listener of some) listener();
  });
  return {
    watch(planId, listener) {
      const those = listeners.get(planId) ?? new Set();
      listeners.set(planId, those.add(listener));
      return () => {
        those.delete(listener);
        if (those.size === 0 && listeners.get(planId) === those) listeners.delete(planId);
      };
    },
    close: stop,
  };
}
