// The same purchase sent many times at once, and forged webhooks.
import { request } from 'undici';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECRETS } from '../../subgraphs/accounts/world.ts';
import { expectInvariants } from '../../subgraphs/accounts/billing/invariants.ts';
import { type BillingWorld, startBilling } from '../../subgraphs/accounts/billing/world.ts';
import { type Random, createRandom } from '../../../sandbox/random.ts';
import { SEED, say, scaled } from '../scale.ts';
import { placeOrder } from '../../kit/purchase.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling();
});
afterAll(() => world.close());

const COPIES = 20;
/** Concurrent buyers: with two hundred requests at once none waits too long for a database connection. */
const CONCURRENCY = 10;

test('each purchase is sent twenty times at once: one order, one checkout, one answer', async () => {
  const purchases = scaled(1_000, CONCURRENCY);
  const PLACE = placeOrder('id status checkoutUrl placedAt');
  let [answered, told] = [0, 0];
  for (let from = 0; from < purchases; from += CONCURRENCY) {
    const batch = await Promise.all(
      Array.from({ length: Math.min(CONCURRENCY, purchases - from) }, (_, index) => world.account(`buyer${from + index}@example.com`)),
    );
    const sent = batch.map((person) => {
      const variables = { offer: world.offer(person.id), key: `repeat-${person.id}` };
      return Array.from({ length: COPIES }, () => world.ask(person.viewer, PLACE, variables));
    });
    for (const copies of sent) {
      const answers = await Promise.all(copies);
      const done = answers.filter(({ errors }) => !errors).map(({ data }) => JSON.stringify(data));
      const refused = answers.filter(({ errors }) => errors).map(({ errors }) => errors?.[0]?.extensions['code']);
      expect(new Set(done).size).toBe(1);
      expect(refused.filter((code) => code !== 'idempotency_in_flight')).toEqual([]);
      answered += done.length;
      told += refused.length;
    }
  }
  const [orders] = await world.query<{ count: string }>('select count(*) from accounts.customer_order');
  expect(Number(orders?.count)).toBe(purchases);
  expect(world.sandbox.card.sessions()).toHaveLength(purchases);
  await expectInvariants(world, 'repeats');
  say(
    `${(purchases * COPIES).toLocaleString('en')} parallel repeats of ${purchases.toLocaleString('en')} purchases: ${orders?.count} orders, ${world.sandbox.card.sessions().length} checkouts; ${answered} answered alike, ${told} told that it is under way`,
  );
});

const HTTP = () => `${world.url}/webhooks/card`;
const post = async (body: string, signature: string) => {
  const answer = await request(HTTP(), {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
  });
  await answer.body.dump();
  return answer.statusCode;
};

function alter(text: string, random: Random): string {
  const at = random.below(text.length);
  const other = String.fromCharCode(33 + random.below(90));
  return text[at] === other ? alter(text, random) : `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
}

/** Changes one digit of a hexadecimal signature. */
function alterHex(hex: string, random: Random): string {
  const at = random.below(hex.length);
  const digit = (Number.parseInt(hex[at] ?? '0', 16) + 1 + random.below(15)) % 16;
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}`;
}

/** Ways to forge a webhook that the processor signed. */
const FORGERIES: ((random: Random, body: string, now: number) => [string, string])[] = [
  (random, body, now) => [alter(body, random), sign(body, now)],
  (random, body, now) => [body, `t=${now},v1=${alterHex(signatureOf(body, now), random)}`],
  (random, body, now) => [body, sign(body, now, `whsec_${random.below(1_000_000)}`)],
  (random, body, now) => [body, sign(body, now - 301 - random.below(86_400))],
  (random, body, now) => [body, sign(body, now + 301 + random.below(86_400))],
  (random, body, now) => [body, `t=${now - 1 - random.below(200)},v1=${signatureOf(body, now)}`],
  (_, body, now) => [body, `t=${now}`],
  (_, body) => [body, ''],
];
const sign = (payload: string, timestamp: number, secret = SECRETS.webhookSecret) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const signatureOf = (body: string, now: number) => /v1=([0-9a-f]+)/.exec(sign(body, now))?.[1] ?? '';

test('no forged notice is accepted, and none leaves a trace', async () => {
  const count = scaled(10_000, 200);
  const random = createRandom(SEED);
  const [stored] = await world.query<{ count: string }>('select count(*) from accounts.inbox');
  const now = Math.floor(world.clock.now().getTime() / 1_000);
  const tally = new Map<number, number>();
  for (let from = 0; from < count; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const body = JSON.stringify({
          id: `evt_forged_${from + index}`,
          object: 'event',
          type: 'checkout.session.completed',
          data: { object: { id: `cs_${from + index}`, object: 'checkout.session', payment_status: 'paid' } },
        });
        const forge = FORGERIES[(from + index) % FORGERIES.length] as (typeof FORGERIES)[number];
        const status = await post(...forge(random, body, now));
        tally.set(status, (tally.get(status) ?? 0) + 1);
      }),
    );
  expect([...tally.keys()]).toEqual([400]);
  expect(await world.query('select count(*) from accounts.inbox')).toEqual([stored]);
  say(`${count.toLocaleString('en')} forged or altered notices: 0 accepted, 0 stored (seed ${SEED})`);
});
