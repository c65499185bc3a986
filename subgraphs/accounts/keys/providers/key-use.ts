// The last uses of API keys are gathered in memory and stored together: a write per request would make every read of the API wait for a disk.
import { SECOND } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { storeLastUses } from '../entities/api-key.ts';

export interface KeyUse {
  /** Records a use; it is stored within ten seconds. */
  record(ctx: { em: EntityManager }, use: { keyId: string; at: Date; address: string }): void;
  /** Stores the recorded uses now. */
  flush(): Promise<void>;
}

const FLUSH_MS = 10 * SECOND;

export function createKeyUse(log: Log): KeyUse {
  const waiting = new Map<string, { at: Date; address: string }>();
  let timer: NodeJS.Timeout | undefined;
  let manager: EntityManager | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!manager || waiting.size === 0) return;
    const uses = [...waiting].map(([keyId, use]) => ({ keyId, ...use })).toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1));
    waiting.clear();
    try {
      await storeLastUses(manager, uses);
    } catch (error) {
      log.warn({ error: String(error) }, 'last use of keys could not be stored');
    }
  }

  return {
    record(ctx, { keyId, at, address }) {
      waiting.set(keyId, { at, address });
      if (timer) return;
      manager = ctx.em.fork() as EntityManager;
      timer = setTimeout(() => void flush(), FLUSH_MS);
      timer.unref();
    },
    flush,
  };
}
