import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { TEST_CARDS } from '../../sandbox/card/test-cards.ts';
import { createWorld, premiumCheckout } from './world.ts';
import type { World } from './world.ts';

let world: World;
let stripe: Stripe;
beforeAll(async () => {
  world = await createWorld();
  stripe = world.stripe;
});
afterAll(() => world.close());

interface Answer {
  status: number;
  location: string | null;
  html: string;
}

const visit = async (url: string, form?: Record<string, string>): Promise<Answer> => {
  const answer = await fetch(url, { redirect: 'manual', ...(form && { method: 'POST', body: new URLSearchParams(form) }) });
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() };
};
const card = (number: string, more: Record<string, string> = {}): Record<string, string> => ({
  action: 'pay',
  number,
  expiry: '12/30',
  cvc: number.startsWith('3') ? '1234' : '123',
  ...more,
});
/** A checkout session, with the URL that the product gives to the browser. */
const open = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<{ id: string; url: string }> => {
  const { id, url } = await stripe.checkout.sessions.create(premiumCheckout({ customer_email: 'ada@example.com', ...more }));
  return { id, url: (url ?? '').split('#')[0] ?? '' };
};
const read = (id: string): Promise<Stripe.Checkout.Session> => stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
const chargesOf = async (id: string): Promise<Stripe.Charge[]> => {
  const { payment_intent } = await read(id);
  return world.sandbox.card.charges().filter((charge) => charge.payment_intent === (payment_intent as Stripe.PaymentIntent | null)?.id);
};
const sent = (id: string): string => `http://shop.test/orders/done?session=${id}`;

describe('the checkout page', () => {
  test('shows the merchant, the items, the total, and what each field is', async () => {
    const { url } = await open({
      line_items: [{ price_data: { currency: 'usd', unit_amount: 450, product_data: { name: '<b>Premium</b>' } }, quantity: 10 }],
    });
    const { status, html } = await visit(url);
    expect(status).toBe(200);
    expect(html).toContain('Sandbox card processor');
    expect(html).toContain('Pay Egress');
    expect(html).toContain('&lt;b&gt;Premium&lt;/b&gt;');
    expect(html).toContain('$45.00');
    expect(html).toContain('value="4242 4242 4242 4242"');
    for (const label of ['Card number', 'Expiry (MM/YY)', 'CVC']) expect(html).toContain(`>${label}</label>`);
    expect(html).toContain('href="http://shop.test/orders/back"');
    expect(html).not.toMatch(/(?:src|href)="https?:\/\/(?!shop\.test)/);
  });

  test('asks for an e-mail only when the shop has not given one', async () => {
    const stranger = (await stripe.checkout.sessions.create(premiumCheckout({ customer_creation: 'always' }))) as {
      id: string;
      url: string;
    };
    expect((await visit(stranger.url)).html).toContain('name="email"');
    await visit(stranger.url, card('4242424242424242', { email: 'new@example.com' }));
    const paid = await stripe.checkout.sessions.retrieve(stranger.id, { expand: ['customer'] });
    expect(paid.customer_details?.email).toBe('new@example.com');
    expect(paid.customer).toMatchObject({ object: 'customer', email: 'new@example.com' });
    expect((await visit((await open()).url)).html).not.toContain('name="email"');
  });

  test('404 for an address of no session', async () => {
    expect((await visit(`${world.sandbox.urls.card}/c/pay/cs_test_none`)).status).toBe(404);
  });
});

describe('a payment', () => {
  test('charges the card and goes to the shop with the id of the session', async () => {
    const { id, url } = await open();
    expect(await visit(url, card('4242 4242 4242 4242'))).toMatchObject({ status: 303, location: sent(id) });
    expect(await read(id)).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      payment_intent: { status: 'succeeded', amount_received: 2500 },
    });
    expect(await chargesOf(id)).toMatchObject([
      { status: 'succeeded', amount: 2500, payment_method_details: { card: { last4: '4242', brand: 'visa' } } },
    ]);
  });

  test('sent twice charges once, and both go on to the shop', async () => {
    const { id, url } = await open();
    const both = await Promise.all([visit(url, card('4242424242424242')), visit(url, card('4242424242424242'))]);
    expect(both.map((answer) => answer.location)).toEqual([sent(id), sent(id)]);
    expect(await chargesOf(id)).toHaveLength(1);
    const again = await visit(url);
    expect(again.html).toContain('Already paid');
  });

  test('that is declined says why and lets the customer try another card', async () => {
    const { id, url } = await open();
    const declined = await visit(url, { action: 'decline' });
    expect(declined.status).toBe(402);
    expect(declined.html).toContain('<p class="alert" role="alert">Your card was declined.</p>');
    expect(await read(id)).toMatchObject({
      status: 'open',
      payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' } },
    });
    expect((await visit(url, card('4242424242424242'))).location).toBe(sent(id));
    expect((await chargesOf(id)).map((charge) => charge.status)).toEqual(['failed', 'succeeded']);
    expect(await read(id)).toMatchObject({ payment_intent: { last_payment_error: null } });
  });

  test('is not attempted with an invalid card number', async () => {
    const { id, url } = await open();
    const wrong: [Record<string, string>, string][] = [
      [card('4242424242424241'), 'number is invalid'],
      [card('4242'), 'number is invalid'],
      [card('4242424242424242', { expiry: '13/30' }), 'expiration date is incomplete'],
      [card('4242424242424242', { expiry: '12/25' }), 'expiration date is in the past'],
      [card('4242424242424242', { cvc: '12' }), 'security code is incomplete'],
    ];
    for (const [form, sentence] of wrong) {
      const answer = await visit(url, form);
      expect(answer.status).toBe(400);
      expect(answer.html).toContain(sentence);
    }
    expect(await read(id)).toMatchObject({ status: 'open', payment_intent: null });
  });

  test('410 after the session has expired, with nothing charged', async () => {
    const { id, url } = await open();
    world.clock.advance(DAY);
    for (const answer of [await visit(url), await visit(url, card('4242424242424242'))]) {
      expect(answer.status).toBe(410);
      expect(answer.html).toContain('This checkout has expired');
    }
    expect(await chargesOf(id)).toEqual([]);
  });
});

describe('the bank asks the customer to confirm', () => {
  test('and the payment goes through when it is completed, once', async () => {
    const { id, url } = await open();
    expect(await visit(url, card('4000002760003184'))).toMatchObject({ status: 303, location: `/c/pay/${id}/challenge` });
    expect(await read(id)).toMatchObject({ payment_intent: { status: 'requires_action', next_action: { type: 'redirect_to_url' } } });
    expect(await chargesOf(id)).toEqual([]);
    expect((await visit(`${url}/challenge`)).html).toContain('Confirm with your bank');
    const twice = [await visit(`${url}/challenge`, { outcome: 'complete' }), await visit(`${url}/challenge`, { outcome: 'complete' })];
    expect(twice.map((answer) => answer.location)).toEqual([sent(id), sent(id)]);
    expect(await chargesOf(id)).toHaveLength(1);
  });

  test('and nothing is charged when it fails', async () => {
    const { id, url } = await open();
    await visit(url, card('4000002500003155'));
    const failed = await visit(`${url}/challenge`, { outcome: 'fail' });
    expect(failed.status).toBe(402);
    expect(failed.html).toContain('unable to authenticate');
    expect(await read(id)).toMatchObject({
      status: 'open',
      payment_intent: { status: 'requires_payment_method', last_payment_error: { code: 'payment_intent_authentication_failure' } },
    });
    expect(await chargesOf(id)).toEqual([]);
    expect((await visit(url, card('4242424242424242'))).location).toBe(sent(id));
  });

  test('for every card when the shop demands it', async () => {
    const { id, url } = await open({ payment_method_options: { card: { request_three_d_secure: 'any' } } });
    expect((await visit(url, card('4242424242424242'))).location).toBe(`/c/pay/${id}/challenge`);
  });
});

test.each(TEST_CARDS.map((row) => [row.about, row] as const))('a test card does what its row says: %s (%#)', async (_, row) => {
  const { id, url } = await open();
  let answer = await visit(url, card(row.number));
  if (row.challenge) answer = await visit(`${url}/challenge`, { outcome: 'complete' });
  const session = await read(id);
  if (row.decline) {
    expect(answer.status).toBe(402);
    expect(session.payment_intent).toMatchObject({ last_payment_error: { code: row.decline.code, message: row.decline.message } });
  } else {
    expect(answer.location).toBe(sent(id));
    expect(session.payment_status).toBe('paid');
  }
});

test('payCheckout pays as a customer does, the bank passed, and never twice', async () => {
  const { id } = await open();
  const { card: processor } = world.sandbox;
  expect(processor.payCheckout(id, '4000000000009995')).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' });
  expect(processor.payCheckout(id, '4000002760003184')).toEqual({ outcome: 'paid', redirectUrl: sent(id) });
  expect(processor.payCheckout(id)).toEqual({ outcome: 'paid', redirectUrl: sent(id) });
  expect((await chargesOf(id)).filter((charge) => charge.paid)).toHaveLength(1);
});
