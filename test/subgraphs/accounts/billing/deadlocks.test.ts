import { describe, expect, test } from 'vitest';
import { inversionIn } from '../../../kit/lock-order.ts';
import { answerOf, MoneyStorm, type Owner, STORM_ENVIRONMENT, isFault } from './money-storm.ts';
import { startSubscriptions } from './subscriptions/subscription-world.ts';
import { withDesk } from './with-desk.ts';

const OWNERS = 3;
const CONCURRENT = 50;
const ROUNDS = 2;

const { world } = await withDesk(startSubscriptions(STORM_ENVIRONMENT));

describe('every operation that moves money, fifty at once on the same accounts', () => {
  test('is answered, never by `internal`, and never rolled back for another', async () => {
    const storm = await MoneyStorm.of(world);
    const owners: Owner[] = [];
    for (let index = 0; index < OWNERS; index++) owners.push(await storm.owner());
    const answers = new Map<string, Map<string, number>>();
    for (let round = 0; round < ROUNDS; round++) {
      for (const owner of owners) await storm.prepare(owner, Object.keys(storm.operations));
      const operations = Object.entries(storm.operations);
      await Promise.all(
        Array.from({ length: CONCURRENT }, async (_, index) => {
          // Each round pairs accounts and operations differently.
          const [name, operation] = operations[index % operations.length] ?? operations[0] ?? [];
          const code = await answerOf(operation, owners[(Math.floor(index / operations.length) + round) % OWNERS] as Owner);
          const counted = answers.get(name ?? '') ?? new Map<string, number>();
          answers.set(name ?? '', counted.set(code, (counted.get(code) ?? 0) + 1));
        }),
      );
      await world.settle();
      await world.adjusted();
    }
    // `overloaded` is a correct answer on a slow machine.
    expect([...answers.values()].flatMap((counted) => [...counted.keys()]).filter(isFault)).toEqual([]);
    expect([...answers].filter(([, counted]) => !counted.has('done')).map(([name]) => name)).toEqual([]);
    expect(world.locks.deadlocks()).toBe(0);
    expect(world.locks.transactions()).toBeGreaterThan(ROUNDS * CONCURRENT);
    expect(await world.books()).toSatisfy(
      (books: Record<string, number>) => Object.values(books).reduce((sum, minor) => sum + minor, 0) === 0,
    );
  }, 120_000);
});

test.each([
  [['customer_order', 'account'], 'customer_order before its account'],
  [['ledger_entry'], 'ledger_entry before its account'],
  [['account', 'invoice_series CN', 'invoice_series INV'], 'invoice_series INV after invoice_series CN'],
  [['invoice_series INV', 'account'], 'an account after invoice_series INV'],
  [['account', 'billing_subscription', 'customer_order', 'invoice_series INV', 'ledger_entry', 'staff_gift'], undefined],
])('a transaction that locks %j: %s', (locks, inversion) => {
  expect(inversionIn({ reads: false, locks })).toBe(inversion);
});
