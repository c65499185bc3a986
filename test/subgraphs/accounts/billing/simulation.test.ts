// People buy, give up, pay late, are refunded and transfer wrong amounts, while webhooks come twice, late, out of order or never, and the processor
// answers with errors. Afterwards the ledger, orders, invoices and the processor's own records must agree to the cent. `SEEDS=200` runs more seeds; a
// failure names its seed.
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { type Random, createRandom } from '../../../../sandbox/random.ts';
import { expectInvariants } from './invariants.ts';
import { type Person, startBilling } from './world.ts';
import { invoiceRows } from '../../../kit/invoice-rows.ts';
import { jobRows } from '../../../kit/job-rows.ts';
import { ledgerRows } from '../../../kit/ledger-rows.ts';
import { orderRows } from '../../../kit/order-rows.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { withDesk } from './with-desk.ts';

const SEEDS = Number(process.env['SEEDS'] ?? 3);
const STEPS = 60;

const { world, desk } = await withDesk(startBilling());
const [ledger, orders] = [ledgerRows(world.query), orderRows(world.query)];

const one = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random.below(items.length)];

/** Ignores a refused or failed request, as that is part of the simulation: the ledger is checked afterwards. */
const attempt = (work: Promise<unknown>) => work.catch(() => {});

async function live(random: Random, people: Person[]) {
  const placed: { id: string; buyer: Person; method: string }[] = [];
  const { card, crypto } = world.sandbox;
  for (const { webhooks, api } of [card.faults, crypto.faults]) {
    Object.assign(webhooks, { duplicate: 0.3, delay: 0.3, reorder: 0.3, drop: 0.05, forge: 0.1 });
    Object.assign(api.ratios, { error_before_effect: 0.03, error_after_effect: 0.02, lost_answer: 0.03, rate_limited: 0.02 });
  }
  const buyer = () => one(random, people) as Person;
  const order = () => one(random, placed);
  const price = (totalMinor: number, taxMinor: number) => ({
    lines: [{ label: 'Premium', quantity: 1, amountMinor: totalMinor - taxMinor }],
    subtotalMinor: totalMinor - taxMinor,
    taxBasisPoints: taxMinor > 0 ? 1_000 : 0,
    taxMinor,
    totalMinor,
  });
  const place = async (method: string, person: Person, totalMinor: number) => {
    const offer = world.offer(person.id, price(totalMinor, random.below(2) * Math.floor(totalMinor / 11)));
    const answer = await world.ask(person.viewer, placeOrder('id', method), { offer, key: world.newKey() });
    const id = (answer.data?.['orderPlace'] as { id: string } | null | undefined)?.id;
    if (id) placed.push({ id, buyer: person, method });
  };
  const confirm = (orderId: string, amountMinor: number) =>
    world.ask(desk.viewer, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id } }', {
      input: { orderId, amountMinor, bankReference: world.newKey(), idempotencyKey: world.newKey() },
    });
  const DEEDS: (() => Promise<unknown>)[] = [
    () => place('CARD', buyer(), 120 + random.below(9_000)),
    () => place('CARD', buyer(), 120 + random.below(9_000)),
    () => place('CRYPTO', buyer(), 120 + random.below(9_000)),
    async () => {
      // The coins are exactly what is due, or too few, or too many; in time or late.
      const invoice = one(random, crypto.invoices());
      if (invoice)
        crypto.pay(invoice['id'] as string, random.below(3) > 0 ? {} : { amount: `${1 + random.below(90)}.${10 + random.below(90)}` });
    },
    async () => {
      const invoice = one(random, crypto.invoices());
      if (invoice) crypto.confirm(invoice['id'] as string);
    },
    () => place('BANK_TRANSFER', buyer(), 50_000 + random.below(50_000)),
    async () => {
      const chosen = order();
      const checkout = chosen && (await world.checkoutOf(chosen.id));
      if (checkout) world.sandbox.card.payCheckout(checkout, random.below(4) === 0 ? '4000000000000002' : undefined);
    },
    async () => {
      const chosen = order();
      const checkout = chosen && (await world.checkoutOf(chosen.id));
      if (checkout) world.sandbox.card.payCheckout(checkout);
    },
    async () => {
      const chosen = order();
      if (chosen) await world.ask(chosen.buyer.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { id } }', { id: chosen.id });
    },
    () => world.grant(buyer().id, 1 + random.below(5_000), desk.viewer),
    async () => {
      const paid = await rowsOf<{ id: string }>(
        world.query,
        'accounts.customer_order',
        { status: 'PAID' },
        { columns: 'id', orderBy: 'id' },
      );
      const orderId = one(random, paid)?.id;
      const destination = one(random, ['CARD', 'CREDIT'] as const) ?? 'CARD';
      if (orderId)
        await world.refund(desk.viewer, { orderId, destination, ...(random.below(2) === 0 && { amountMinor: 1 + random.below(3_000) }) });
    },
    async () => {
      const chosen = one(
        random,
        placed.filter(({ method }) => method === 'BANK_TRANSFER'),
      );
      if (chosen) await confirm(chosen.id, 45_000 + random.below(60_000));
    },
    async () => world.clock.advance(random.below(20) * MINUTE),
    () => card.deliver(),
    () => crypto.deliver(),
    () => world.platform.queue.runNow('accounts.orders-reconcile'),
  ];
  for (let step = 0; step < STEPS; step++) await attempt(one(random, DEEDS)?.() ?? Promise.resolve());
  for (const { webhooks, api } of [card.faults, crypto.faults]) {
    Object.assign(webhooks, { duplicate: 0, delay: 0, reorder: 0, drop: 0, forge: 0 });
    api.ratios = {};
  }
}

/** Makes failed jobs due at once: they wait by the machine's clock, not the test's. */
async function hurry() {
  await jobRows(world.query).hurry();
  await world.settle();
}

/** Lets enough time pass for everything to end, and runs every sweep. */
async function rest() {
  for (const invoice of world.sandbox.crypto.invoices()) world.sandbox.crypto.confirm(invoice['id'] as string);
  await hurry();
  for (const wait of [3 * MINUTE, 40 * MINUTE, 15 * DAY, 6 * MINUTE]) {
    world.clock.advance(wait);
    for (const job of [
      'accounts.orders-reconcile',
      'accounts.orders-close',
      'accounts.crypto-watch',
      'accounts.sweep',
      'accounts.balances-read',
    ]) {
      await world.platform.queue.runNow(job);
      await hurry();
    }
  }
}

async function agree(seed: number) {
  const books = await world.books();
  const charges = world.sandbox.card.charges().filter(({ status }) => status === 'succeeded');
  const refunds = world.sandbox.card.refunds();
  const sum = (rows: readonly { amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);
  const sorted = (rows: readonly { amount: number }[]) => rows.map(({ amount }) => amount).sort((a, b) => a - b);
  // I1 to I3: journals sum to zero; a paid order has one event, one invoice and one journal; balances equal their ledgers; series have no gap.
  await expectInvariants(world, `seed ${seed}`);
  // I5: each charge and refund of the processor is in the ledger, one by one.
  expect(await ledger.amountsOf(['order_paid'], 'PROCESSOR')).toEqual(sorted(charges));
  expect(await ledger.amountsOf(['refund_sent'], 'PROCESSOR')).toEqual(sorted(refunds));
  // The ledger equals the balance that the processor reports, less its fees and payouts.
  expect(books['PROCESSOR'] ?? 0).toBe(world.sandbox.card.bank.entries().reduce((total, { net }) => total + net, 0));
  const coins = world.sandbox.crypto.invoices().map(({ id }) => ({ amount: world.sandbox.crypto.receivedCents(id as string) }));
  expect(books['CRYPTO'] ?? 0).toBe(sum(coins));
  // I6: no order waits beyond its time, no credit is held without an order, no refund is owed.
  expect(await orders.pending()).toEqual([]);
  expect(await rowsOf(world.query, 'accounts.refund', { status: 'PENDING' })).toEqual([]);
  expect({ held: books['CREDIT_HELD'] ?? 0, owed: books['REFUND_OWED'] ?? 0 }).toEqual({ held: 0, owed: 0 });
  // Invoices less credit notes equal the revenue and its tax.
  expect(await invoiceRows(world.query).net()).toBe(-(books['REVENUE'] ?? 0) - (books['TAX'] ?? 0));
}

test.each(Array.from({ length: SEEDS }, (_, index) => 1 + index))('seed %d leaves books that agree', { timeout: 120_000 }, async (seed) => {
  const random = createRandom(seed);
  const people = await Promise.all(['a', 'b', 'c'].map((name) => world.account(`${name}${seed}@example.com`)));
  await live(random, people);
  await rest();
  await agree(seed);
});

test('the seeds together have seen every end of an order and every kind of journal', async () => {
  expect(await orders.statusesSeen()).toEqual(expect.arrayContaining(['CANCELLED', 'EXPIRED', 'PAID']));
  expect(await ledger.kindsSeen()).toEqual(
    expect.arrayContaining([
      'order_paid',
      'credit_held',
      'credit_released',
      'credit_granted',
      'refund_granted',
      'transfer_credited',
      'crypto_credited',
    ]),
  );
});
