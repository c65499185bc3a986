// The card processor's webhooks arrive twice, out of order, up to three days late, or never. The result must be what the processor says happened, once.
import Stripe from 'stripe';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { SECRETS, codeOf, dataOf } from '../../subgraphs/accounts/world.ts';
import { expectInvariants } from '../../subgraphs/accounts/billing/invariants.ts';
import { type SubscriptionWorld, startSubscriptions } from '../../subgraphs/accounts/billing/subscriptions/subscription-world.ts';
import type { Person, PlacedOrder } from '../../subgraphs/accounts/billing/world.ts';
import { type Random, createRandom } from '../../../sandbox/random.ts';
import { SCALE, SEED, say, scaled } from '../scale.ts';

let world: SubscriptionWorld;
beforeAll(async () => {
  world = await startSubscriptions();
});
afterAll(() => world.close());

const DUPLICATED = 0.3;
const DROPPED = 0.05;
const LATEST_MS = 3 * DAY;
const PARALLEL = 32;
const BUYER_CONCURRENCY = 8;
/** Long enough for a renewal. */
const DAYS = 36;
const STEP_MS = SCALE < 1 ? DAY : 6 * HOUR;
/** The jobs that find payments by asking the processor when a webhook is missing. */
const ASKING = ['orders-reconcile', 'orders-close', 'renewals-reconcile', 'subscriptions-sweep', 'sweep'];
const DECLINED = '4000000000000002';

/** Runs `work` for all items, at most `count` at once. */
async function atOnce<Item>(count: number, items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  const take = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: count }, take));
}

interface Purchase {
  buyer: Person;
  recurs: boolean;
  pays: boolean;
  /** The test card; default: one that works. */
  card: string | undefined;
}

interface Message {
  at: number;
  body: string;
}

/** Delivers webhooks between the processor and the platform: every event is posted at its time, with a new signature as the processor does. */
function createPost(random: Random) {
  const under = { way: [] as Message[], seen: 0, delivered: 0, dropped: 0, twice: 0 };
  return {
    under,
    collect() {
      const events = world.sandbox.card.events();
      const now = world.clock.now().getTime();
      for (const event of events.slice(under.seen)) {
        if (random.chance(DROPPED)) under.dropped += 1;
        else {
          const copies = random.chance(DUPLICATED) ? 2 : 1;
          under.twice += copies - 1;
          for (let copy = 0; copy < copies; copy++) under.way.push({ at: now + random.below(LATEST_MS), body: JSON.stringify(event) });
        }
      }
      under.seen = events.length;
    },
    async deliver() {
      const now = world.clock.now().getTime();
      const due = under.way.filter(({ at }) => at <= now);
      under.way = under.way.filter(({ at }) => at > now);
      // In random order.
      for (let index = due.length - 1; index > 0; index--) {
        const other = random.below(index + 1);
        [due[index], due[other]] = [due[other] as Message, due[index] as Message];
      }
      await atOnce(PARALLEL, due, async ({ body }) => {
        const header = Stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret: SECRETS.webhookSecret,
          timestamp: Math.floor(now / 1_000),
        });
        const answer = await request(`${world.url}/webhooks/card`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', 'stripe-signature': header },
        });
        await answer.body.dump();
        expect(answer.statusCode, `seed ${SEED}`).toBe(200);
        under.delivered += 1;
      });
    },
  };
}

test('every payment is found, and none counts twice, whatever becomes of its notices', async () => {
  const wanted = scaled(100_000, 300);
  const random = createRandom(SEED);
  const where = `seed ${SEED}`;
  const post = createPost(random);
  // The sandbox does not send: this proof delivers the webhooks.
  world.sandbox.card.faults.webhooks.drop = 1;
  const people: Person[] = [];
  // Some dozen purchases per person at every scale: the cost of look-ups per customer must not grow with it.
  for (let index = 0; index < scaled(1_000, 20); index++) people.push(await world.account(`person${index}@example.com`));
  // A purchase and its renewal make about ten events.
  const each = Math.max(3, Math.round((wanted / DAYS / 8) * (STEP_MS / DAY)));
  const buy = async ({ buyer, recurs, pays, card }: Purchase) => {
    const answer = await world.tryPlace(buyer, recurs ? world.termsOf({ id: world.newSubscription() }) : {});
    // A customer with too many unpaid orders buys nothing more until they are paid or closed.
    if (codeOf(answer) === 'too_many_unpaid_orders') return;
    const order = dataOf<PlacedOrder>(answer, 'orderPlace');
    if (order.status === 'PENDING' && pays) await world.pay(order.id, card);
  };
  const pending = async () =>
    Number((await world.query<{ count: string }>(`select count(*) from accounts.customer_order where status = 'PENDING'`))[0]?.count);
  let steps = 0;
  for (; post.under.delivered < wanted || steps * STEP_MS < DAYS * DAY; steps++) {
    const purchases = Array.from({ length: each }, (_, index) => ({
      buyer: people[random.below(people.length)] as Person,
      recurs: index % 4 === 0,
      // A tenth never pay.
      pays: !random.chance(0.1),
      card: random.chance(0.1) ? DECLINED : undefined,
    }));
    // Purchases go on while webhooks arrive and are processed.
    await Promise.all([atOnce(BUYER_CONCURRENCY, purchases, buy), post.deliver()]);
    for (const sweep of ['subscriptions-sweep', 'orders-close']) await world.platform.queue.runNow(`accounts.${sweep}`);
    await world.platform.queue.drain();
    world.clock.advance(STEP_MS);
    world.sandbox.card.tick();
    post.collect();
  }
  // Dropped webhooks are made up for by asking.
  for (let round = 0; round < 6; round++) {
    world.clock.advance(round < 3 ? 2 * MINUTE : DAY);
    world.sandbox.card.tick();
    post.collect();
    await post.deliver();
    // Each run of a job handles a limited number: repeat as long as fewer are left each time.
    let before = Infinity;
    for (let left = await pending(); left < before; left = await pending()) {
      before = left;
      for (const job of ASKING) await world.platform.queue.runNow(`accounts.${job}`);
      await world.platform.queue.drain();
    }
  }
  await expectInvariants(world, where);
  const [unprocessed] = await world.query<{ count: string }>('select count(*) from accounts.inbox where processed_at is null');
  expect(unprocessed?.count, where).toBe('0');
  const rows = await world.query<{ kind: string; count: string }>(
    `select kind, count(*) from accounts.customer_order where status in ('PAID', 'FULFILLED') group by kind order by kind`,
  );
  // Each payment of the processor is in the books under its id, each paid checkout is a paid order, and there are no others.
  const idsOf = async (query: string) => (await world.query<{ id: string }>(query)).map(({ id }) => id).sort();
  const taken = world.sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  expect(await idsOf(`select processor_id as id from accounts.payment where processor = 'card'`), where).toEqual(
    taken.map((charge) => charge.payment_intent as string).sort(),
  );
  const sessions = world.sandbox.card.sessions().filter((session) => session.payment_status === 'paid');
  expect(
    await idsOf(`select checkout_id as id from accounts.customer_order where kind = 'PURCHASE' and status in ('PAID', 'FULFILLED')`),
    where,
  ).toEqual(sessions.map(({ id }) => id).sort());
  const counted = rows.reduce((sum, { count }) => sum + Number(count), 0);
  expect(counted, where).toBe(taken.length);
  const { delivered, dropped, twice } = post.under;
  say(
    `${delivered.toLocaleString('en')} deliveries in ${(steps * STEP_MS) / DAY} days, ${twice.toLocaleString('en')} twice, ${dropped.toLocaleString('en')} never, up to 3 days late, in no order: ${taken.length.toLocaleString('en')} payments, ${rows.map(({ kind, count }) => `${count} ${kind}`).join(', ')}; 0 lost, 0 double, I1 to I5 hold (seed ${SEED})`,
  );
});
