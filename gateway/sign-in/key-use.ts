// Counts the requests of each key and reports them to accounts in batches, since a write per request would make every read of the API wait for a disk. Counts that are not reported yet are lost when the process is killed; nothing is billed by them.
import { type Askable, askerOf } from '#platform/ask.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { newId } from '#platform/ids.ts';
import { systemViewer } from '#platform/identity.ts';
import type { Access } from './access.ts';

const FLUSH_MS = 10 * SECOND;
/** The most keys in one report. */
const BATCH_SIZE = 1_000;

const REPORT =
  'mutation apiKeyUseReport($keyIds: [ID!]!, $requests: [Int!]!) { reported: apiKeyUseReport(keyIds: $keyIds, requests: $requests) }';

export interface KeyUse {
  /** Returns the same access, but with each request that it admits by key counted. */
  counted(access: Access): Access;
  /** Reports the counts to accounts. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createKeyUse({ accounts, clock, log }: { accounts: Askable; clock: Clock; log: Log }): KeyUse {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing = Promise.resolve();
  const ask = askerOf(accounts);
  const notReported = (error: unknown) => log.warn({ error: String(error) }, 'the use of keys could not be reported');

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...counts];
    counts.clear();
    for (let from = 0; from < uses.length; from += BATCH_SIZE) {
      const batch = uses.slice(from, from + BATCH_SIZE);
      const variables = { keyIds: batch.map(([keyId]) => keyId), requests: batch.map(([, requests]) => requests) };
      await ask(REPORT, variables, systemViewer('gateway', newId('req', clock))).catch(notReported);
    }
  }
  const flushLater = () => void (flushing = flush());

  return {
    counted: (access) => ({
      ...access,
      async admitKey(authorization, origin, accepts) {
        const admission = await access.admitKey(authorization, origin, accepts);
        const keyId = admission.viewer?.keyId;
        if (keyId) {
          counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
          timer ??= setTimeout(flushLater, FLUSH_MS).unref();
        }
        return admission;
      },
    }),
    flush,
    async close() {
      await flushing;
      await flush();
    },
  };
}
