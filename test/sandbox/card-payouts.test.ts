// The merchant's balance at the card processor, and the daily payouts.
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { createWorld, premiumCheckout } from './world.ts';
import type { World } from './world.ts';

let world: World;
let stripe: Stripe;
beforeAll(async () => {
  world = await createWorld();
  stripe = world.stripe;
});
afterAll(() => world.close());

const paid = async (): Promise<Stripe.Charge> => {
  const { id } = await stripe.checkout.sessions.create(premiumCheckout());
  world.sandbox.card.payCheckout(id);
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
  return (payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
};
const pass = (ms: number): void => {
  world.clock.advance(ms);
  world.sandbox.card.tick();
};
const balance = async (): Promise<number[]> => {
  const { available, pending } = await stripe.balance.retrieve();
  return [available, pending].map((rows) => rows.reduce((sum, { amount }) => sum + amount, 0));
};
const payouts = async () => (await stripe.payouts.list()).data;

test('a charge is available two days later, less its fee, and is paid out on the midnight after', async () => {
  const charge = await paid();
  const [entry] = (await stripe.balanceTransactions.list({ source: charge.id, expand: ['data.source'] })).data;
  expect(entry).toMatchObject({ type: 'charge', reporting_category: 'charge', amount: 2_500, fee: 103, net: 2_397, status: 'pending' });
  expect(entry?.source).toMatchObject({ object: 'charge', id: charge.id });
  expect(await balance()).toEqual([0, 2_397]);
  pass(DAY);
  expect(await payouts()).toEqual([]);
  pass(DAY);
  const [payout] = await payouts();
  expect(payout).toMatchObject({ amount: 2_397, automatic: true, status: 'in_transit', reconciliation_status: 'completed' });
  expect(await balance()).toEqual([0, 0]);
  pass(DAY);
  expect(await stripe.payouts.retrieve(payout?.id ?? '')).toMatchObject({ status: 'paid' });
});

test('the transactions of a payout can be listed an hour later, the payout among them', async () => {
  const charge = await paid();
  await stripe.refunds.create({ charge: charge.id, amount: 500 });
  // The refund is deducted at once, the charge becomes available later: while the balance is negative, nothing is paid out.
  const before = (await payouts()).length;
  pass(DAY);
  expect(await payouts()).toHaveLength(before);
  const midnight = (moment: number) => Math.ceil(moment / DAY) * DAY;
  while ((await payouts()).length === before) pass(midnight(world.clock.now().getTime() + 1) - world.clock.now().getTime());
  const [payout] = await payouts();
  const linesOf = async (): Promise<[string, number][]> =>
    (await stripe.balanceTransactions.list({ payout: payout?.id ?? '' })).data.map(({ type, net }) => [type, net]);
  expect(payout).toMatchObject({ reconciliation_status: 'in_progress', amount: 1_897 });
  expect(await linesOf()).toEqual([]);
  pass(3_600_000);
  expect((await linesOf()).toSorted()).toEqual([
    ['charge', 2_397],
    ['payout', -1_897],
    ['refund', -500],
  ]);
});

test('a payout that the bank returns restores the balance, and stops further payouts until there is another account', async () => {
  const [last] = await payouts();
  world.sandbox.card.bank.failPayout(last?.id ?? '');
  const failed = await stripe.payouts.retrieve(last?.id ?? '', { expand: ['failure_balance_transaction'] });
  expect(failed).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
  expect(failed.failure_balance_transaction).toMatchObject({ type: 'payout_failure', reporting_category: 'payout_reversal', net: 1_897 });
  expect(await balance()).toEqual([1_897, 0]);
  const count = (await payouts()).length;
  pass(3 * DAY);
  expect(await payouts()).toHaveLength(count);
  world.sandbox.card.bank.changeAccount();
  pass(DAY);
  expect((await payouts())[0]).toMatchObject({ amount: 1_897 });
  expect(world.sandbox.card.events().filter(({ type }) => type === 'payout.failed')).toHaveLength(1);
});

test('the processor’s own bills are transactions without a source', async () => {
  world.sandbox.card.bank.bill(1_000, 'Radar');
  const [entry] = (await stripe.balanceTransactions.list({ type: 'stripe_fee' })).data;
  expect(entry).toMatchObject({ amount: -1_000, fee: 0, net: -1_000, source: null, reporting_category: 'fee' });
});

test('lists come newest first in pages, narrowed by time, and refuse what the processor does not know', async () => {
  const all = await stripe.balanceTransactions.list({ limit: 100 });
  const moments = all.data.map(({ created }) => created);
  expect(moments).toEqual(moments.toSorted((one, other) => other - one));
  const first = await stripe.balanceTransactions.list({ limit: 2 });
  expect(first.has_more).toBe(true);
  const second = await stripe.balanceTransactions.list({ limit: 2, starting_after: first.data[1]?.id ?? '' });
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all.data.slice(0, 4).map(({ id }) => id));
  const oldest = moments.at(-1) ?? 0;
  expect((await stripe.balanceTransactions.list({ created: { lte: oldest } })).data).toHaveLength(1);
  const refused = async (params: object) =>
    stripe.balanceTransactions.list(params).catch((error: Stripe.errors.StripeError) => error.param);
  expect(await refused({ payout: 'po_unknown' })).toBe('payout');
  expect(await refused({ type: 'chargeback' })).toBe('type');
  expect(await refused({ since: '1' })).toBe('since');
  await expect(stripe.payouts.list({ status: 'late' })).rejects.toMatchObject({ param: 'status' });
  await expect(stripe.payouts.retrieve('po_unknown')).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' });
});
