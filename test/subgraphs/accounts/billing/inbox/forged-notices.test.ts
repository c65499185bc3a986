import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { createCardClient } from '../../../../../subgraphs/accounts/billing/payments/providers/card/card-client.ts';
import { createCardProcessor } from '../../../../../subgraphs/accounts/billing/payments/providers/card/card-processor.ts';
import { type Random, createRandom } from '../../../../../sandbox/random.ts';

const clock = new TestClock('2026-01-15T12:00:00Z');
const NOW = clock.now().getTime() / 1_000;
const CURRENT = 'whsec_current';
const PREVIOUS = 'whsec_previous';
const stripe = createCardClient({ secretKey: 'sk_test_x', apiUrl: 'http://127.0.0.1:9' });
const cards = createCardProcessor({ stripe, webhookSecrets: [CURRENT, PREVIOUS], clock, methods: ['card'] });

const BODY = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_1', object: 'checkout.session', payment_status: 'paid', amount_total: 2_500 } },
});
const sign = (payload: string, { secret = CURRENT, timestamp = NOW } = {}) =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });

/** Replaces one character of a text by another. */
function alter(text: string, random: Random): string {
  const at = random.below(text.length);
  const other = String.fromCharCode(33 + random.below(90));
  const altered = text.slice(0, at) + other + text.slice(at + 1);
  return altered === text ? alter(text, random) : altered;
}

/** What somebody can send who does not know the secret, or who has recorded an old webhook. */
const FORGERIES: Record<string, (random: Random) => { body: string; header: string }> = {
  'an altered body': (random) => ({ body: alter(BODY, random), header: sign(BODY) }),
  'an altered signature': (random) => {
    const [time, signature = ''] = sign(BODY).split(',v1=');
    return { body: BODY, header: `${time},v1=${alter(signature, random)}` };
  },
  'another secret': (random) => ({ body: BODY, header: sign(BODY, { secret: `whsec_${random.below(1e9)}` }) }),
  'an old time': (random) => ({ body: BODY, header: sign(BODY, { timestamp: NOW - 301 - random.below(1e6) }) }),
  'a future time': (random) => ({ body: BODY, header: sign(BODY, { timestamp: NOW + 301 + random.below(1e6) }) }),
  'a fresh time on an old signature': (random) => ({
    body: BODY,
    header: sign(BODY, { timestamp: NOW - 301 - random.below(1e6) }).replace(/t=\d+/, `t=${NOW}`),
  }),
  'two times, one of them fresh': (random) => ({
    body: BODY,
    header: `t=${NOW},${sign(BODY, { timestamp: NOW - 301 - random.below(1e6) })}`,
  }),
  'two times, the signed one in the future': (random) => ({
    body: BODY,
    header: `t=${NOW},${sign(BODY, { timestamp: NOW + 301 + random.below(1e6) })}`,
  }),
  'no signature': () => ({ body: BODY, header: `t=${NOW}` }),
  'an empty signature': () => ({ body: BODY, header: `t=${NOW},v1=` }),
  'an older scheme only': () => ({ body: BODY, header: sign(BODY).replace('v1=', 'v0=') }),
};
const EACH = 1_000;

test.each(Object.keys(FORGERIES))(`of ${EACH} notices with %s none is accepted`, (kind) => {
  const random = createRandom(1);
  const accepted: object[] = [];
  for (let count = 0; count < EACH; count++) {
    const forged = FORGERIES[kind]?.(random);
    if (!forged) throw new Error(kind);
    try {
      cards.readNotice(forged.body, forged.header);
      accepted.push(forged);
    } catch (error) {
      if ((error as { code?: string }).code !== 'signature_invalid') throw error;
    }
  }
  expect(accepted).toEqual([]);
});

test('the true one is accepted, under either secret, up to five minutes off either way', () => {
  for (const secret of [CURRENT, PREVIOUS])
    for (const timestamp of [NOW - 300, NOW, NOW + 300])
      expect(cards.readNotice(BODY, sign(BODY, { secret, timestamp }))).toEqual({
        id: 'evt_1',
        type: 'checkout.session.completed',
        objectId: 'cs_1',
      });
});
