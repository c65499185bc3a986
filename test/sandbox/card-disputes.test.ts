// Disputes, fraud warnings, and refunds that arrive late, fail later, or were made elsewhere.
import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { createWorld, premiumCheckout } from './world.ts';
import type { World } from './world.ts';

let world: World;
let stripe: Stripe;
let told = 0;
beforeAll(async () => {
  world = await createWorld();
  stripe = world.stripe;
});
beforeEach(() => {
  told = world.sandbox.card.events().length;
});
afterAll(() => world.close());

const news = (): string[] =>
  world.sandbox.card
    .events()
    .slice(told)
    .map(({ type }) => type)
    .filter((type) => /dispute|refund|warning|async/.test(type));
const paid = async (card?: string): Promise<Stripe.Charge> => {
  const { id } = await stripe.checkout.sessions.create(premiumCheckout());
  world.sandbox.card.payCheckout(id, card);
  const { payment_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
  return (payment_intent as Stripe.PaymentIntent).latest_charge as Stripe.Charge;
};
const movesOf = ({ balance_transactions: entries }: Stripe.Dispute): number[][] =>
  entries.map(({ amount, fee, net }) => [amount, fee, net]);

test('a dispute takes the money and a fee at once; when it is won, the money comes back without the fee', async () => {
  const charge = await paid();
  const { id } = world.sandbox.card.bank.dispute(charge.id);
  expect(news()).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  const open = await stripe.disputes.retrieve(id);
  expect(open).toMatchObject({ status: 'needs_response', reason: 'fraudulent', amount: 2_500, is_charge_refundable: false });
  expect(movesOf(open)).toEqual([[-2_500, 1_500, -4_000]]);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ disputed: true });
  await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({ code: 'charge_disputed', statusCode: 400 });
  const answered = await stripe.disputes.update(id, { evidence: { access_activity_log: 'She used it.' } });
  expect(answered).toMatchObject({ status: 'under_review', evidence_details: { has_evidence: true, submission_count: 1 } });
  await expect(stripe.disputes.update(id, { evidence: { uncategorized_text: 'More.' } })).rejects.toMatchObject({ statusCode: 400 });
  world.sandbox.card.bank.decide(id, 'won');
  expect(movesOf(await stripe.disputes.retrieve(id))).toEqual([
    [-2_500, 1_500, -4_000],
    [2_500, 0, 2_500],
  ]);
  expect(news().slice(2)).toEqual([
    'charge.dispute.updated',
    'charge.dispute.updated',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ]);
});

test('staged evidence is not submitted, its files need the right purpose, and the test mode’s magic words decide at once', async () => {
  const [won, lost] = [await paid('4000000000000259'), await paid('4000000000002685')];
  const [ofWon] = (await stripe.disputes.list({ charge: won.id })).data;
  const [ofLost] = (await stripe.disputes.list({ charge: lost.id })).data;
  expect([ofWon?.reason, ofLost?.reason]).toEqual(['fraudulent', 'product_not_received']);
  const file = await stripe.files.create({
    purpose: 'dispute_evidence',
    file: { data: Buffer.from('%PDF-1.7 evidence'), name: 'evidence.pdf', type: 'application/pdf' },
  });
  expect(file).toMatchObject({ type: 'pdf', size: 17, purpose: 'dispute_evidence' });
  const text = { data: Buffer.from('no picture'), name: 'evidence.pdf', type: 'application/pdf' };
  await expect(stripe.files.create({ purpose: 'dispute_evidence', file: text })).rejects.toMatchObject({ statusCode: 400 });
  const staged = await stripe.disputes.update(ofWon?.id ?? '', { evidence: { uncategorized_file: file.id }, submit: false });
  expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true, submission_count: 0 } });
  await expect(stripe.disputes.update(ofWon?.id ?? '', { evidence: { receipt: 'file_none' } })).rejects.toMatchObject({
    code: 'resource_missing',
  });
  expect((await stripe.disputes.update(ofWon?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } })).status).toBe('won');
  expect((await stripe.disputes.update(ofLost?.id ?? '', { evidence: { uncategorized_text: 'losing_evidence' } })).status).toBe('lost');
});

test('a dispute without an answer in time is lost; an inquiry moves no money, can be paid back, and may become a dispute', async () => {
  const silent = world.sandbox.card.bank.dispute((await paid()).id);
  const charge = await paid('4000000000001976');
  const [inquiry] = (await stripe.disputes.list({ charge: charge.id })).data as [Stripe.Dispute];
  expect(inquiry).toMatchObject({ status: 'warning_needs_response', balance_transactions: [], is_charge_refundable: true });
  const later = await paid();
  const escalated = world.sandbox.card.bank.dispute(later.id, { inquiry: true });
  world.sandbox.card.bank.escalate(escalated.id);
  expect(movesOf(await stripe.disputes.retrieve(escalated.id))).toEqual([[-2_500, 1_500, -4_000]]);
  expect((await stripe.refunds.create({ charge: charge.id })).status).toBe('succeeded');
  world.clock.advance(10 * DAY);
  world.sandbox.card.tick();
  expect((await stripe.disputes.retrieve(silent.id)).status).toBe('lost');
  expect((await stripe.disputes.retrieve(inquiry.id)).status).toBe('warning_closed');
});

test('a warning of fraud names the charge, and can be acted on until it is refunded or disputed', async () => {
  const charge = await paid('4000000000005423');
  expect(news()).toEqual(['radar.early_fraud_warning.created']);
  const [warning] = (await stripe.radar.earlyFraudWarnings.list({ charge: charge.id })).data;
  expect(warning).toMatchObject({ actionable: true, payment_intent: charge.payment_intent });
});

test('a refund may be pending and succeed, or succeed and fail later, and then the charge can be refunded again', async () => {
  const late = await stripe.refunds.create({ charge: (await paid('4000000000007726')).id });
  const charge = await paid('4000000000005126');
  const back = await stripe.refunds.create({ charge: charge.id });
  expect([late, back]).toMatchObject([{ status: 'pending', pending_reason: 'processing' }, { status: 'succeeded' }]);
  world.clock.advance(6 * DAY);
  world.sandbox.card.tick();
  expect(await stripe.refunds.retrieve(late.id)).toMatchObject({ status: 'succeeded' });
  expect(await stripe.refunds.retrieve(back.id)).toMatchObject({ status: 'failed', failure_reason: 'expired_or_canceled_card' });
  expect(news()).toEqual([
    'refund.created',
    'charge.refunded',
    'refund.created',
    'charge.refunded',
    'refund.updated',
    'refund.updated',
    'refund.failed',
  ]);
  expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 0, refunded: false });
  const entries = (await stripe.balanceTransactions.list({ source: back.id })).data;
  expect(entries.map(({ type, amount }) => [type, amount])).toEqual([
    ['refund_failure', 2_500],
    ['refund', -2_500],
  ]);
});

test('without allowed_payment_method_types the dashboard decides: a debit leaves the checkout complete and unpaid, then paid or failed', async () => {
  const { bank } = world.sandbox.card;
  const [good, bad, cards] = await Promise.all([
    stripe.checkout.sessions.create(premiumCheckout()),
    stripe.checkout.sessions.create(premiumCheckout()),
    stripe.checkout.sessions.create(premiumCheckout({ allowed_payment_method_types: ['card'] })),
  ]);
  expect([good, cards].map(({ payment_method_types: types }) => types)).toEqual([['card', 'us_bank_account'], ['card']]);
  expect(() => bank.promiseDebit(cards.id)).toThrow('takes no delayed payment');
  for (const { id } of [good, bad]) bank.promiseDebit(id);
  expect(await stripe.checkout.sessions.retrieve(good.id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
  bank.settleDebit(good.id, true);
  bank.settleDebit(bad.id, false);
  expect(news()).toEqual(['checkout.session.async_payment_succeeded', 'checkout.session.async_payment_failed']);
  expect((await stripe.checkout.sessions.retrieve(good.id)).payment_status).toBe('paid');
  expect(await stripe.checkout.sessions.retrieve(bad.id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
});

test('400 for another version of the API than the library pins', async () => {
  const answer = await fetch(`${world.sandbox.urls.card}/v1/account`, {
    headers: { authorization: 'Bearer sk_test_sandbox', 'stripe-version': '2019-05-16' },
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { type: 'invalid_request_error' } }]);
});
