// Last use of API keys, gathered in memory and written together: a write per request would make every read of the API wait for a disk.
import { sql } from 'kysely';
import { SECOND } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';

export interface KeyUse {
  /** Takes down a use; it is stored within two seconds. */
  record(em: EntityManager, use: { keyId: string; at: Date; address: string }): void;
  /** Stores what is waiting. */
  flush(): Promise<void>;
}

const FLUSH_MS = 2 * SECOND;

export function createKeyUse(log: Log): KeyUse {
  const waiting = new Map<string, { at: Date; address: string }>();
  let timer: NodeJS.Timeout | undefined;
  let manager: EntityManager | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (!manager || waiting.size === 0) return;
    const uses = [...waiting].toSorted(([one], [other]) => (one < other ? -1 : 1));
    waiting.clear();
    const column = <Value>(values: Value[], type: 'text' | 'timestamptz') => sql`${values}::${sql.raw(type)}[]`;
    try {
      await sql`
        update api_key set last_used_at = used.at, last_used_address = used.address
        from unnest(${column(
          uses.map(([id]) => id),
          'text',
        )}, ${column(
          uses.map(([, { at }]) => at.toISOString()),
          'timestamptz',
        )}, ${column(
          uses.map(([, { address }]) => address),
          'text',
        )}) as used (id, at, address)
        where api_key.id = used.id and (api_key.last_used_at is null or api_key.last_used_at < used.at)`.execute(manager.getKysely());
    } catch (error) {
      log.warn({ error: String(error) }, 'last use of keys could not be stored');
    }
  }

  return {
    record(em, { keyId, at, address }) {
      waiting.set(keyId, { at, address });
      if (timer) return;
      manager = em.fork() as EntityManager;
      timer = setTimeout(() => void flush(), FLUSH_MS);
      timer.unref();
    },
    flush,
  };
}
