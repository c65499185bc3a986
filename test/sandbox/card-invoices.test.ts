import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createShop, DAY_SECONDS, HOUR_SECONDS } from './card-billing-world.ts';
import type { Shop } from './card-billing-world.ts';

let shop: Shop;
let customer: Stripe.Customer;
beforeEach(async () => {
  shop = await createShop();
  customer = await shop.customer();
});
afterEach(() => shop.close());

const item = (amount: number, more: Partial<Stripe.InvoiceItemCreateParams> = {}): Promise<Stripe.InvoiceItem> =>
  shop.stripe.invoiceItems.create({ customer: customer.id, amount, currency: 'usd', description: 'Set-up', ...more });
/** A final invoice of `amount`. */
const open = async (amount: number): Promise<Stripe.Invoice> => {
  await item(amount);
  const draft = await shop.stripe.invoices.create({ customer: customer.id, pending_invoice_items_behavior: 'include' });
  return shop.stripe.invoices.finalizeInvoice(draft.id);
};
const balance = async (): Promise<number> => ((await shop.stripe.customers.retrieve(customer.id)) as Stripe.Customer).balance;

describe('an invoice without a subscription', () => {
  test('collects pending items, is numbered without gaps, and is paid on request', async () => {
    const [first, second] = [await open(1_200), await open(800)];
    expect(first).toMatchObject({ status: 'open', total: 1_200, amount_due: 1_200, billing_reason: 'manual' });
    expect([first.number, second.number].map((number) => number?.slice(-4))).toEqual(['0001', '0002']);
    expect(await shop.stripe.invoices.pay(first.id)).toMatchObject({ status: 'paid', amount_paid: 1_200 });
    await expect(shop.stripe.invoices.pay(first.id)).rejects.toMatchObject({ message: 'Invoice is already paid', code: undefined });
  });

  test('can be changed while a draft, line by line, and not afterwards', async () => {
    const draft = await shop.stripe.invoices.create({ customer: customer.id });
    const added = await item(500, { invoice: draft.id });
    expect((await shop.stripe.invoices.retrieve(draft.id)).total).toBe(500);
    await shop.stripe.invoiceItems.update(added.id, { amount: 700 });
    expect((await shop.stripe.invoices.retrieve(draft.id)).lines.data).toMatchObject([{ amount: 700 }]);
    await shop.stripe.invoiceItems.del(added.id);
    await item(900, { invoice: draft.id });
    await shop.stripe.invoices.update(draft.id, { description: 'By agreement' });
    expect(await shop.stripe.invoices.finalizeInvoice(draft.id)).toMatchObject({ total: 900, description: 'By agreement' });
    await expect(item(1, { invoice: draft.id })).rejects.toMatchObject({ code: 'invoice_not_editable' });
    await expect(shop.stripe.invoices.update(draft.id, { description: 'x' })).rejects.toMatchObject({ code: 'invoice_not_editable' });
  });

  test('with auto_advance is final and charged after an hour', async () => {
    await item(1_000);
    const { id } = await shop.stripe.invoices.create({
      customer: customer.id,
      auto_advance: true,
      pending_invoice_items_behavior: 'include',
    });
    shop.pass(HOUR_SECONDS - 1);
    expect((await shop.stripe.invoices.retrieve(id)).status).toBe('draft');
    shop.pass(1);
    expect((await shop.stripe.invoices.retrieve(id)).status).toBe('paid');
  });

  test('for a card without funds stays open, the refusal on its intent', async () => {
    const { id } = await open(1_000);
    shop.sandbox.card.behave(String(customer.invoice_settings.default_payment_method), '4000000000009995');
    await expect(shop.stripe.invoices.pay(id)).rejects.toMatchObject({
      statusCode: 402,
      decline_code: 'insufficient_funds',
      payment_intent: { last_payment_error: { decline_code: 'insufficient_funds' } },
    });
    expect((await shop.stripe.invoices.retrieve(id)).status).toBe('open');
  });

  test('without any card is refused', async () => {
    await shop.stripe.paymentMethods.detach(String(customer.invoice_settings.default_payment_method));
    const { id } = await open(1_000);
    await expect(shop.stripe.invoices.pay(id)).rejects.toThrow(/no attached payment source/);
  });

  test('that is void is not charged any more, and gives the credit back', async () => {
    await shop.stripe.customers.createBalanceTransaction(customer.id, { amount: -300, currency: 'usd' });
    const { id } = await open(1_000);
    expect(await balance()).toBe(0);
    expect(await shop.stripe.invoices.voidInvoice(id)).toMatchObject({ status: 'void' });
    expect(await balance()).toBe(-300);
    await expect(shop.stripe.invoices.pay(id)).rejects.toMatchObject({ statusCode: 400 });
    expect(shop.sandbox.card.charges()).toEqual([]);
  });

  test('can be marked uncollectible, and a draft deleted', async () => {
    expect(await shop.stripe.invoices.markUncollectible((await open(1_000)).id)).toMatchObject({ status: 'uncollectible' });
    const draft = await shop.stripe.invoices.create({ customer: customer.id });
    expect(await shop.stripe.invoices.del(draft.id)).toMatchObject({ deleted: true });
    await expect(shop.stripe.invoices.retrieve(draft.id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('of less than 50 cents is not charged but owed', async () => {
    expect(await open(30)).toMatchObject({ status: 'paid', amount_due: 0, ending_balance: 30 });
    expect(await open(70)).toMatchObject({ status: 'open', amount_due: 100, ending_balance: 0 });
  });
});

describe('a credit note', () => {
  const paid = async (): Promise<Stripe.Invoice> => shop.stripe.invoices.pay((await open(1_000)).id);

  test('of a paid invoice refunds, gives credit, or both', async () => {
    const invoice = await paid();
    const note = await shop.stripe.creditNotes.create({ invoice: invoice.id, amount: 700, refund_amount: 400, credit_amount: 300 });
    expect(note).toMatchObject({
      amount: 700,
      type: 'post_payment',
      number: `${invoice.number}-CN-01`,
      refunds: [{ amount_refunded: 400 }],
    });
    expect(shop.sandbox.card.refunds()).toMatchObject([{ amount: 400 }]);
    expect(await balance()).toBe(-300);
    expect((await shop.stripe.invoices.retrieve(invoice.id)).post_payment_credit_notes_amount).toBe(700);
    await expect(shop.stripe.creditNotes.create({ invoice: invoice.id, amount: 301, refund_amount: 301 })).rejects.toThrow(/more than/);
  });

  test('whose parts do not add up is refused', async () => {
    const refused = shop.stripe.creditNotes.create({ invoice: (await paid()).id, amount: 700, refund_amount: 400 });
    await expect(refused).rejects.toThrow(/must equal/);
    expect(shop.sandbox.card.refunds()).toEqual([]);
  });

  test('of an open invoice makes it smaller, and paid when nothing is left', async () => {
    const invoice = await open(1_000);
    const line = invoice.lines.data[0]?.id ?? '';
    await shop.stripe.creditNotes.create({
      invoice: invoice.id,
      lines: [{ type: 'invoice_line_item', invoice_line_item: line, amount: 400 }],
    });
    expect(await shop.stripe.invoices.retrieve(invoice.id)).toMatchObject({ amount_remaining: 600, status: 'open' });
    await shop.stripe.creditNotes.create({ invoice: invoice.id, amount: 600 });
    expect(await shop.stripe.invoices.retrieve(invoice.id)).toMatchObject({ amount_remaining: 0, status: 'paid' });
    expect(shop.sandbox.card.charges()).toEqual([]);
  });
});

describe('a test clock', () => {
  test('advances only its own customers', async () => {
    const now = Math.floor(shop.clock.now().getTime() / 1000);
    const clock = await shop.stripe.testHelpers.testClocks.create({ frozen_time: now });
    const [timed, price] = [await shop.customer('pm_card_visa', { test_clock: clock.id }), await shop.price(1_000)];
    const [theirs, other] = [await shop.subscribe(timed, price), await shop.subscribe(customer, price)];
    const moved = await shop.stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: now + 32 * DAY_SECONDS });
    expect(moved.status).toBe('advancing');
    expect(await shop.stripe.testHelpers.testClocks.retrieve(clock.id)).toMatchObject({
      status: 'ready',
      frozen_time: now + 32 * DAY_SECONDS,
    });
    expect(await shop.invoiceOf(theirs)).toMatchObject({ status: 'paid', billing_reason: 'subscription_cycle' });
    expect(await shop.invoiceOf(other)).toMatchObject({ billing_reason: 'subscription_create' });
    shop.pass(365 * DAY_SECONDS);
    expect((await shop.stripe.invoices.list({ subscription: theirs.id })).data).toHaveLength(2);
  });
});

describe('an idempotency key', () => {
  test('charges an invoice once, also after a lost answer and a 500', async () => {
    for (const fault of ['lost_answer', 'error_after_effect'] as const) {
      const invoice = await open(1_000);
      const before = shop.sandbox.card.charges().length;
      shop.sandbox.card.faults.api.next.push({ fault, on: `POST /v1/invoices/${invoice.id}/pay` });
      const pay = (): Promise<Stripe.Invoice> => shop.stripe.invoices.pay(invoice.id, {}, { idempotencyKey: `pay:${invoice.id}` });
      await pay().catch(() => undefined);
      await pay().catch(() => undefined);
      expect(shop.sandbox.card.charges()).toHaveLength(before + 1);
      expect((await shop.stripe.invoices.retrieve(invoice.id)).status).toBe('paid');
    }
  });

  test('remembers a refusal too, so that a new attempt needs a new key', async () => {
    const { id } = await open(1_000);
    const card = String(customer.invoice_settings.default_payment_method);
    shop.sandbox.card.behave(card, '4000000000000341');
    const pay = (idempotencyKey: string): Promise<Stripe.Invoice> => shop.stripe.invoices.pay(id, {}, { idempotencyKey });
    await expect(pay('day0')).rejects.toMatchObject({ statusCode: 402 });
    shop.sandbox.card.behave(card, '4242424242424242');
    await expect(pay('day0')).rejects.toMatchObject({ statusCode: 402 });
    expect((await pay('day1')).status).toBe('paid');
  });
});

describe('tax', () => {
  const rate = (percentage: number, inclusive = false): Promise<Stripe.TaxRate> =>
    shop.stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, country: 'DE' });

  test('is added to the sum of the lines, rounded once, and shared out to the cent', async () => {
    const vat = await rate(19);
    for (const amount of [333, 333, 333]) await item(amount);
    const draft = await shop.stripe.invoices.create({
      customer: customer.id,
      pending_invoice_items_behavior: 'include',
      default_tax_rates: [vat.id],
    });
    // 999 × 0.19 = 189.81; each line alone would be 63.27.
    expect(draft).toMatchObject({ subtotal: 999, total: 1_189, total_excluding_tax: 999, total_taxes: [{ amount: 190 }] });
    expect(draft.lines.data.map((line) => line.taxes?.[0]?.amount)).toEqual([63, 63, 64]);
    expect(await shop.stripe.invoices.pay(draft.id)).toMatchObject({ amount_paid: 1_189 });
  });

  test('that is included leaves the total as it is', async () => {
    const vat = await rate(19, true);
    await item(1_190);
    const draft = await shop.stripe.invoices.create({
      customer: customer.id,
      pending_invoice_items_behavior: 'include',
      default_tax_rates: [vat.id],
    });
    expect(draft).toMatchObject({
      subtotal: 1_190,
      total: 1_190,
      total_excluding_tax: 1_000,
      total_taxes: [{ amount: 190, taxable_amount: 1_000 }],
    });
  });

  test('of a subscription is part of its first invoice, its previews, its upgrades and its renewals', async () => {
    const vat = await rate(8.25);
    const [small, large] = [await shop.price(1_000), await shop.price(2_000)];
    const subscription = await shop.subscribe(customer, small, { default_tax_rates: [vat.id] });
    expect((await shop.invoiceOf(subscription)).amount_paid).toBe(1_083);
    const items = [{ id: subscription.items.data[0]?.id ?? '', price: large.id }];
    const details = { items, proration_behavior: 'always_invoice' as const };
    const preview = await shop.stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: details });
    await shop.stripe.subscriptions.update(subscription.id, details);
    expect((await shop.invoiceOf(subscription)).amount_paid).toBe(preview.amount_due);
    expect(preview.amount_due).toBe(1_083);
    shop.pass(32 * DAY_SECONDS);
    expect((await shop.invoiceOf(subscription)).amount_paid).toBe(2_165);
  });
});
