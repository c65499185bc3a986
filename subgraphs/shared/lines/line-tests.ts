// Tests of lines in this process: each is a connection and up to nine seconds of waiting, so their number is bounded, and how often an account may ask.
import { type Ticks, createBudget } from '#platform/budget.ts';
import { fail } from '#platform/errors.ts';
import { type LineExchange, faultOfTest } from './line-test.ts';
import type { LineSender, SentLine } from './line-sender.ts';

export interface LineTests {
  /** Throws `too_many_attempts` and `overloaded`. */
  run(accountId: string, line: SentLine, signal: AbortSignal): Promise<LineExchange>;
}

/** Ten a minute. */
const OF_AN_ACCOUNT = { burst: 10, perSecond: 1 / 6 };
const AT_ONCE = 32;

export function createLineTests(send: LineSender, now?: Ticks): LineTests {
  const accounts = createBudget(OF_AN_ACCOUNT, now);
  let running = 0;
  return {
    async run(accountId, line, signal) {
      accounts.take(accountId);
      if (running >= AT_ONCE) throw fail('overloaded', { retry_after_seconds: 1 });
      running++;
      try {
        const exchange = await send(line, signal);
        return { ...exchange, fault: faultOfTest(exchange.fault) };
      } finally {
        running--;
      }
    },
  };
}
