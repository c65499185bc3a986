// Every pair of operations that move money, fifty at once on the same accounts: no deadlock, and no answer `internal`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../sandbox/random.ts';
import { expectInvariants } from '../../subgraphs/accounts/billing/invariants.ts';
import { answerOf, MoneyStorm, type Owner, STORM_ENVIRONMENT, isFault } from '../../subgraphs/accounts/billing/money-storm.ts';
import { type SubscriptionWorld, startSubscriptions } from '../../subgraphs/accounts/billing/subscriptions/subscription-world.ts';
import { SEED, say, scaled } from '../scale.ts';

const CONCURRENT = 50;
const OWNERS = 2;
/** After this many pairs two new owners are used, since sums over a long history are slow. */
const PAIRS_EACH = 15;

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions(STORM_ENVIRONMENT);
});
afterAll(() => world.close());

test('every pair of operations, fifty at once: none is answered `internal`, none was rolled back for another', async () => {
  const storm = await MoneyStorm.of(world);
  const names = Object.keys(storm.operations);
  const every = names.flatMap((one, index) => names.slice(index).map((other) => [one, other] as const));
  const random = createRandom(SEED);
  const pairs = every.toSorted(() => random.below(3) - 1).slice(0, scaled(every.length, 3));
  const answers = new Map<string, number>();
  let owners: Owner[] = [];
  for (const [index, pair] of pairs.entries()) {
    if (index % PAIRS_EACH === 0) owners = await Promise.all(Array.from({ length: OWNERS }, () => storm.owner()));
    for (const owner of owners) await storm.prepare(owner, pair);
    await Promise.all(
      Array.from({ length: CONCURRENT }, async (_, turn) => {
        const owner = owners[Math.floor(turn / 2) % OWNERS] as Owner;
        const code = await answerOf(storm.operations[pair[turn % 2] ?? ''], owner);
        answers.set(code, (answers.get(code) ?? 0) + 1);
        if (isFault(code)) console.error(`${pair.join(' beside ')}: ${code}`);
      }),
    );
    await world.settle();
    await world.adjusted();
  }
  expect([...answers.keys()].filter(isFault), `seed ${SEED}`).toEqual([]);
  expect(world.locks.deadlocks(), `seed ${SEED}`).toBe(0);
  await world.rest();
  await expectInvariants(world, `seed ${SEED}`);
  const done = answers.get('done') ?? 0;
  const said = [...answers].filter(([code]) => code !== 'done').map(([code, count]) => `${count} ${code}`);
  say(
    `${pairs.length} of ${every.length} pairs of ${names.length} operations, ${CONCURRENT} at once: ${done.toLocaleString('en')} done, ${said.join(', ')}; 0 internal, 0 deadlocks, the books agree (seed ${SEED})`,
  );
});
