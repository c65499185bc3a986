// Events that cannot be handled, among purchases, and a storm of operations that return money: only the bad events stop, and no money is created.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { codeOf, dataOf } from '../../subgraphs/accounts/world.ts';
import { expectInvariants } from '../../subgraphs/accounts/billing/invariants.ts';
import { type SubscriptionWorld, startSubscriptions } from '../../subgraphs/accounts/billing/subscriptions/subscription-world.ts';
import type { Person } from '../../subgraphs/accounts/billing/world.ts';
import { createRandom } from '../../../sandbox/random.ts';
import { SEED, say, scaled } from '../scale.ts';

const PURCHASES = scaled(1_000, 24);
/** How many purchases the credit of one account pays for. */
const PER_BUYER = 300;
const POISONED = scaled(100, 8);
const ACCOUNTS = scaled(60, 4);
const STEPS = scaled(12, 3);
const RATES = [0, 1_900, 2_700, 770];

let world: SubscriptionWorld;
let desk: Person;
beforeAll(async () => {
  world = await startSubscriptions({ DATABASE_POOL: '24' });
  desk = await world.account('desk@example.com', 'STAFF');
});
afterAll(() => world.close());

const rich = async (name: string): Promise<Person> => {
  const person = await world.account(`${name}@example.com`);
  await world.grant(person.id, 1_000_000, desk.viewer);
  return person;
};
const append = (events: { type: string; accountId: string; subject: string; data: object }[]) =>
  world.query(
    `insert into platform.event (type, at, account_id, subject, data)
     select type, $2, "accountId", subject, data from jsonb_to_recordset($1::jsonb) as given(type text, "accountId" text, subject text, data jsonb)`,
    [JSON.stringify(events), world.clock.now()],
  );
const figures = async () => (await world.platform.readers()).find(({ reader }) => reader === 'accounts');

test('poisoned events among purchases: every purchase is delivered, the poisoned ones are counted, and driven again after the mend', async () => {
  const random = createRandom(SEED);
  let buyer = desk;
  const orders: string[] = [];
  for (let count = 0; count < PURCHASES; count++) {
    if (count % PER_BUYER === 0) buyer = await rich(`buyer-${count}`);
    orders.push((await world.place(buyer)).id);
  }
  const told = orders.map((orderId) => ({
    type: 'residential_plan.created',
    accountId: buyer.id,
    subject: `plan_of_${orderId}`,
    data: { orderId, planId: `plan_of_${orderId}`, product: 'PREMIUM', bytes: '5000000000' },
  }));
  // Events that no handler understands, and events that the database refuses.
  const poison = Array.from({ length: POISONED }, (_, index) =>
    index % 2 === 0
      ? { type: 'static_plan.failed', accountId: buyer.id, subject: `bad_${index}`, data: { orderId: index } as object }
      : {
          type: 'static_plan.credit_earned',
          accountId: buyer.id,
          subject: `bad_${index}`,
          data: { subscriptionId: 'sub_1', amountMinor: 1, currency: 'dollars', reason: 'down', reference: `bad_${index}` },
        },
  );
  const mixed: typeof poison = [...told];
  for (const event of poison) mixed.splice(random.below(mixed.length), 0, event);
  const began = performance.now();
  await append(mixed);
  await world.subgraph.reader.drain();
  const seconds = (performance.now() - began) / 1_000;
  const states = await world.query<{ status: string; count: string }>(
    'select status, count(*) from accounts.customer_order group by status',
  );
  const after = await figures();
  say(
    `${PURCHASES} purchases and ${POISONED} poisoned events in ${seconds.toFixed(1)} s: ${JSON.stringify(states)}, ${JSON.stringify(after)}`,
  );
  expect(states).toEqual([{ status: 'FULFILLED', count: String(PURCHASES) }]);
  expect(after).toMatchObject({ unread: 0, lagMs: 0, failed: POISONED, waiting: 0 });
  // A second per hundred events, on a machine with other work.
  expect(seconds).toBeLessThan(10 + (PURCHASES + POISONED) / 100);
  await world.query(
    `update platform.dead_letter set data = case type when 'static_plan.failed' then '{"orderId":"ord_none","reason":"x"}'::jsonb
     else jsonb_set(data, '{currency}', '"USD"') end`,
  );
  world.clock.advance(MINUTE);
  await world.subgraph.reader.drain();
  expect(await figures()).toMatchObject({ unread: 0, failed: 0, waiting: 0 });
  const [granted] = await world.query<{ count: string }>(
    `select count(*) from accounts.journal where kind = 'credit_granted' and reference like 'bad_%'`,
  );
  expect(Number(granted?.count)).toBe(Math.floor(POISONED / 2));
});

test('a storm of give-backs, refunds and moves from many accounts at once makes no cent and reclaims no tax', async () => {
  const answers = new Map<string, number>();
  const note = (code: string | undefined) => answers.set(code ?? 'done', (answers.get(code ?? 'done') ?? 0) + 1);
  const line = (quantity: number) => ({ label: 'ISP address', quantity, amountMinor: 240 * quantity });
  const refund = async (orderId: string, amountMinor: number) =>
    note(codeOf(await world.refund(desk.viewer, { orderId, destination: 'CREDIT', amountMinor })));
  const deadlocks = async () =>
    Number(
      (await world.query<{ count: string }>('select deadlocks as count from pg_stat_database where datname = current_database()'))[0]
        ?.count,
    );

  async function live(owner: Person, random: ReturnType<typeof createRandom>) {
    for (let step = 0; step < STEPS; step++) {
      // Each purchase has the day's tax rate.
      const bought = RATES[random.below(RATES.length)] ?? 0;
      const quantity = 2 + random.below(20);
      const id = world.newSubscription();
      const placed = await world.tryPlace(owner, world.termsOf({ id, lines: [line(quantity)] }, { taxBasisPoints: bought }));
      note(codeOf(placed));
      // An order that is refused as busy has bought nothing.
      if (placed.errors) continue;
      const { id: orderId } = dataOf<{ id: string }>(placed, 'orderPlace');
      const fewer = 1 + random.below(quantity - 1);
      const terms = world.termsOf(
        { id, lines: [line(quantity - fewer)], basedOn: 1 },
        { lines: [], creditMinor: 240 * fewer, taxBasisPoints: RATES[random.below(RATES.length)] ?? 0 },
      );
      await Promise.all([
        world.tryPlace(owner, terms).then((answer) => note(codeOf(answer))),
        refund(orderId, 1 + random.below(240 * quantity)),
        refund(orderId, 1 + random.below(240 * quantity)),
        ...(random.chance(1 / 3)
          ? [append([{ type: 'static_plan.failed', accountId: owner.id, subject: `plan_${id}`, data: { orderId, reason: 'sold out' } }])]
          : []),
      ]);
    }
  }
  const before = await deadlocks();
  const owners = [];
  for (let count = 0; count < ACCOUNTS; count++) owners.push(await rich(`owner-${count}`));
  await Promise.all(owners.map((owner, index) => live(owner, createRandom(SEED + index))));
  await world.subgraph.reader.drain();
  // An event that ran into a deadlock is retried a little later.
  world.clock.advance(MINUTE);
  await world.subgraph.reader.drain();
  await world.settle();
  await world.query('select pg_stat_force_next_flush()');
  const locked = (await deadlocks()) - before;
  const [made] = await world.query<{ journals: string; notes: string; reclaimed: string }>(`select
    (select coalesce(-sum(amount_minor), 0) from accounts.ledger_entry join accounts.journal on id = journal_id
      where kind in ('change_credited', 'refund_granted') and ledger = 'CUSTOMER_CREDIT') as journals,
    (select coalesce(sum(total_minor), 0) from accounts.invoice where kind = 'CREDIT_NOTE') as notes,
    (select count(*) from accounts.tax_balance where amount_minor < 0) as reclaimed`);
  say(
    `${ACCOUNTS} accounts, ${ACCOUNTS * STEPS} purchases: ${JSON.stringify(Object.fromEntries(answers))}, ${locked} deadlocks; credit made ${made?.journals}, explained by notes ${made?.notes}`,
  );
  expect(made?.journals).toBe(made?.notes);
  expect(Number(made?.notes)).toBeGreaterThan(0);
  expect(made?.reclaimed).toBe('0');
  expect(answers.get('done') ?? 0).toBeGreaterThan(ACCOUNTS);
  // Operations that were rolled back for others are retried.
  expect(answers.get('internal') ?? 0).toBe(0);
  expect(await figures()).toMatchObject({ unread: 0, failed: 0, waiting: 0 });
  await expectInvariants(world, `seed ${SEED}`);
});
