// Notices of the card processor that come twice, crossed, up to three days late, or never. What they lead to is what the processor itself says happened, once.
import Stripe from 'stripe';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#shared/clock.ts';
import { SECRETS } from '../../accounts/world.ts';
import { expectInvariants } from '../../billing/invariants.ts';
import { type SubscriptionWorld, startSubscriptions } from '../../billing/subscription-world.ts';
import type { Person } from '../../billing/world.ts';
import { type Dice, createDice } from '../../sandbox/dice.ts';
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
/** Long enough for a renewal. */
const DAYS = 36;
const STEP_MS = SCALE < 1 ? DAY : 6 * HOUR;

interface Parcel {
  at: number;
  body: string;
}

/** Between the processor and the platform: every event is posted when its time has come, signed anew as the processor does. */
function createPost(dice: Dice) {
  const under = { way: [] as Parcel[], seen: 0, delivered: 0, dropped: 0, twice: 0 };
  return {
    under,
    collect() {
      const events = world.sandbox.card.events();
      const now = world.clock.now().getTime();
      for (const event of events.slice(under.seen)) {
        if (dice.toss(DROPPED)) under.dropped += 1;
        else {
          const copies = dice.toss(DUPLICATED) ? 2 : 1;
          under.twice += copies - 1;
          for (let copy = 0; copy < copies; copy++) under.way.push({ at: now + dice.below(LATEST_MS), body: JSON.stringify(event) });
        }
      }
      under.seen = events.length;
    },
    async deliver() {
      const now = world.clock.now().getTime();
      const due = under.way.filter(({ at }) => at <= now);
      under.way = under.way.filter(({ at }) => at > now);
      // In no order at all.
      for (let index = due.length - 1; index > 0; index--) {
        const other = dice.below(index + 1);
        [due[index], due[other]] = [due[other] as Parcel, due[index] as Parcel];
      }
      for (let from = 0; from < due.length; from += PARALLEL)
        await Promise.all(
          due.slice(from, from + PARALLEL).map(async ({ body }) => {
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
          }),
        );
    },
  };
}

test('every payment is found, and none counts twice, whatever becomes of its notices', async () => {
  const wanted = scaled(100_000, 800);
  const dice = createDice(SEED);
  const where = `seed ${SEED}`;
  const post = createPost(dice);
  // The sandbox's own courier rests: this proof carries the post.
  world.sandbox.card.faults.webhooks.drop = 1;
  const people: Person[] = [];
  // A purchase and its renewal make about ten events.
  const each = Math.max(3, Math.round(wanted / DAYS / 8));
  for (let index = 0; index < 20; index++) people.push(await world.account(`person${index}@example.com`));
  const buyer = () => people[dice.below(people.length)] as Person;
  let bought = 0;
  const buy = async (recurs: boolean) => {
    const order = await world.place(buyer(), recurs ? world.termsOf({ id: world.newSubscription() }) : {});
    // Some never pay.
    if (order.status === 'PENDING' && !dice.toss(0.1)) await world.pay(order.id, dice.toss(0.1) ? '4000000000000002' : undefined);
    bought += 1;
  };
  let day = 0;
  while (post.under.delivered < wanted || day < DAYS) {
    for (let index = 0; index < each; index++) await buy(index % 4 === 0);
    for (let step = 0; step < DAY / STEP_MS; step++) {
      world.clock.advance(STEP_MS);
      world.sandbox.card.tick();
      post.collect();
      await post.deliver();
      await world.platform.queue.runNow('accounts.subscriptions-sweep');
      await world.platform.queue.drain();
    }
    day += 1;
  }
  // What was dropped is found by asking.
  for (let round = 0; round < 6; round++) {
    world.clock.advance(round < 3 ? 2 * MINUTE : DAY);
    world.sandbox.card.tick();
    post.collect();
    await post.deliver();
    for (const job of ['orders-reconcile', 'orders-close', 'renewals-reconcile', 'subscriptions-sweep', 'sweep'])
      for (let again = 0; again * 200 <= bought; again++) await world.platform.queue.runNow(`accounts.${job}`);
    await world.platform.queue.drain();
  }
  await expectInvariants(world, where);
  const [unprocessed] = await world.query<{ count: string }>('select count(*) from accounts.inbox where processed_at is null');
  expect(unprocessed?.count, where).toBe('0');
  const rows = await world.query<{ kind: string; count: string }>(
    `select kind, count(*) from accounts.customer_order where status in ('PAID', 'FULFILLED') group by kind order by kind`,
  );
  const taken = world.sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  const { delivered, dropped, twice } = post.under;
  say(
    `${delivered.toLocaleString('en')} deliveries in ${day} days, ${twice.toLocaleString('en')} twice, ${dropped.toLocaleString('en')} never, up to 3 days late, in no order: ${taken.length.toLocaleString('en')} payments, ${rows.map(({ kind, count }) => `${count} ${kind}`).join(', ')}; 0 lost, 0 double, I1 to I5 hold (seed ${SEED})`,
  );
});
