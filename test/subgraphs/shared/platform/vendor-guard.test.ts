import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { createGuard } from '#platform/vendor-guard.ts';

/** A client that is a class: its methods are on the prototype and need their `this`. */
class Client {
  readonly name = 'vendor';
  #asked = 0;
  async ask(): Promise<number> {
    return ++this.#asked;
  }
  describe(): string {
    return `${this.name} was asked ${this.#asked} times`;
  }
}

test('a client that is a class is guarded method by method, and its own keep what they belong to', async () => {
  const guard = createGuard(
    { vendor: 'test', timeoutMs: 1_000, isTrouble: () => true },
    { clock: systemClock, log: silentLog, metrics: createMetrics() },
  );
  const client = guard(new Client(), { local: ['describe'] });
  expect([await client.ask(), await client.ask()]).toEqual([1, 2]);
  expect([client.name, client.describe()]).toEqual(['vendor', 'vendor was asked 2 times']);
});
