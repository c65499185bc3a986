// A year of a few customers: they buy packages and static addresses from their sellers, subscribe for 1, 3 and 6 months, change, cancel, run out of money, pay
// late and in parts, by card, PayPal, coins and transfer, move to other countries, are given credit and money back, dispute, and leave, while webhooks come
// twice, late, out of order or never, and the processors answer with errors, or not at all for up to an hour. One seed decides everything.
import { DAY, HOUR } from '#platform/clock.ts';
import { prorate } from '#commerce/proration.ts';
import { type Random, createRandom } from '../../../../sandbox/random.ts';
import { jobRows } from '../../../kit/job-rows.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { expectReportsToAgree } from './finance/agreement.ts';
import { expectDelivered, expectInvariants, expectMoneyArrived } from './invariants.ts';
import { LINE, type SubscriptionWorld } from './subscriptions/subscription-world.ts';
import type { Person } from './world.ts';
import { People } from './year-people.ts';
import { one } from './year-shop.ts';

const MAX_PEOPLE = 3;
const BAD_CARD = '4000000000000341';
const GOOD_CARD = '4242424242424242';
/** The jobs that find what no webhook told. They run at least once a day, and a processor is asked about the last 14 days: no step may be longer. */
const DAILY = ['orders-reconcile', 'orders-close', 'crypto-watch', 'processors-sweep'];

/** Ignores a refused or failed request, as that is part of the year: the result is checked afterwards. */
const attempt = (work: Promise<unknown>): Promise<unknown> => work.catch(() => {});

/** Simulates a year and checks the result. A failure names the seed. */
export async function liveYear(world: SubscriptionWorld, seed: number): Promise<YearSeen> {
  const random = createRandom(seed);
  const people = await People.of(world, random, { seed, count: 1 + random.below(MAX_PEOPLE) });
  const subscriptions: { id: string; owner: Person }[] = [];
  const begun = await firstMonth(world, people, subscriptions);
  const processors = [world.sandbox.card.faults, world.sandbox.paypal.faults, world.sandbox.crypto.faults];
  for (const { webhooks, api } of processors) {
    Object.assign(webhooks, { duplicate: 0.3, delay: 0.2, delayMs: 20, reorder: 0.2, drop: 0.05, forge: 0.05 });
    Object.assign(api.ratios, { error_before_effect: 0.01, error_after_effect: 0.01, lost_answer: 0.01 });
  }
  const mutate = (owner: Person, mutation: string) => world.ask(owner.viewer, `mutation { ${mutation} }`);

  const deeds: (() => Promise<unknown>)[] = [
    async () => {
      if (subscriptions.length >= 2 * people.all.length) return;
      const owner = people.any();
      const months = one(random, [1, 1, 3, 6] as const) ?? 1;
      const id = world.newSubscription();
      const line = { ...LINE, amountMinor: 1_000 + random.below(20_000) };
      const order = await world.place(owner, world.termsOf({ id, months, lines: [line] }, { taxBasisPoints: people.rateOf(owner) }));
      subscriptions.push({ id, owner });
      if (order.status === 'PENDING') await world.pay(order.id);
    },
    async () => {
      const chosen = one(random, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionCancel(id: "${chosen.id}") { id }`);
    },
    async () => {
      const chosen = one(random, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionKeep(id: "${chosen.id}") { id }`);
    },
    async () => {
      const chosen = one(random, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionPayNow(id: "${chosen.id}", idempotencyKey: "${world.newKey()}") { id }`);
    },
    async () => {
      const chosen = one(random, subscriptions);
      const card = chosen && (await world.row(chosen.id)).card_id;
      if (card) world.sandbox.card.behave(card, random.below(2) === 0 ? BAD_CARD : GOOD_CARD);
    },
    async () => {
      const chosen = one(random, subscriptions);
      if (chosen) await change(world, random, { ...chosen, taxBasisPoints: people.rateOf(chosen.owner) });
    },
    () => people.shop.buyPackage(people.any()),
    () => people.shop.buyPackage(people.any()),
    () => people.shop.buyPackage(people.any()),
    () => people.shop.buyPlan(people.any()),
    () => people.shop.buyPlan(people.any()),
    () => people.shop.changePlan(people.any()),
    () => people.shop.changePlan(people.any()),
    () => people.shop.payCoins(people.any()),
    () => people.shop.timePasses(people.all),
    () => people.shop.troubleAtPayPal(),
    async () => {
      const chosen = one(random, subscriptions);
      if (chosen) await people.setMethod(chosen);
    },
    async () => {
      const chosen = one(random, await running(world));
      if (chosen && random.below(3) === 0) await people.endSubscription(chosen);
    },
    () => people.creditDesk(),
    () => world.grant(people.any().id, 1 + random.below(30_000), people.desk.viewer),
    () => people.move(people.any()),
    () => people.buyOnce(),
    () => people.transfer(),
    () => people.transferArrives(),
    () => people.transferArrives(),
    () => people.refund(),
    () => people.payOut(),
    () => people.payOut(),
    () => people.decideRefund(),
    () => people.reissue(),
    () => people.dispute(),
    () => people.refundElsewhere(),
    () => people.failPayout(),
    () => people.decideOnRefunds(),
    () => people.readBalances(),
    () => people.suspendOrRestore(),
    () => people.close(),
    () => people.outage(),
    () => world.platform.queue.runNow('accounts.renewals-reconcile'),
  ];
  for (let passed = begun; passed < 365;) {
    const days = 1 + random.below(9);
    passed += days;
    world.clock.advance(days * DAY);
    for (const job of DAILY) await attempt(world.platform.queue.runNow(`accounts.${job}`));
    await attempt(world.rest());
    await attempt(people.shop.work());
    for (let count = random.below(4); count > 0; count--) await attempt((one(random, deeds) as () => Promise<unknown>)());
  }
  for (const { webhooks, api } of processors) {
    Object.assign(webhooks, { duplicate: 0, delay: 0, reorder: 0, drop: 0, forge: 0 });
    api.ratios = {};
  }
  await people.shop.endWaiting(people.all);
  await comeToRest(world, people);
  await people.decideOnRefunds();
  await expectInvariants(world, `seed ${seed}`);
  await expectMoneyArrived(world, people.transferredMinor, `seed ${seed}`);
  await expectDelivered(world, `seed ${seed}`);
  // PayPal reports a transaction up to three hours late.
  world.clock.advance(3 * HOUR);
  await people.readBalances();
  await expectReportsToAgree(world, people.desk.viewer, `seed ${seed}`);
  return seen(world);
}

/** Before anything goes wrong, one person subscribes, pays, and is renewed, so that every year has both. Resolves with the days that it took. */
async function firstMonth(world: SubscriptionWorld, people: People, subscriptions: { id: string; owner: Person }[]): Promise<number> {
  const owner = people.any();
  const before = world.clock.now().getTime();
  const { id } = await world.subscribe(owner, { taxBasisPoints: people.rateOf(owner) });
  subscriptions.push({ id, owner });
  await world.toPeriodEnd(id);
  // The processor's invoice of the renewal is a draft for an hour.
  await world.pass(2 * HOUR, HOUR);
  return Math.ceil((world.clock.now().getTime() - before) / DAY);
}

/** Changes a subscription at once: an upgrade is paid by card, a reduction is credited. */
async function change(
  world: SubscriptionWorld,
  random: Random,
  { id, owner, taxBasisPoints }: { id: string; owner: Person; taxBasisPoints: number },
): Promise<void> {
  const row = await world.row(id);
  const before = row.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const next = random.below(3) === 0 ? Math.max(500, random.below(before)) : before + random.below(10_000);
  const part = prorate({
    fullMinor: next - before,
    periodStart: row.current_period_start,
    periodEnd: row.current_period_end,
    months: row.interval_count,
    at: world.clock.now(),
  });
  const subscription = { lines: [{ ...LINE, amountMinor: next }], basedOn: row.version, months: row.interval_count as 1 | 3 | 6 };
  const price = part >= 0 ? { lines: [{ ...LINE, amountMinor: part }], taxBasisPoints } : { lines: [], creditMinor: -part, taxBasisPoints };
  await world.adjusted();
  const order = await world.change(owner, id, subscription, price);
  // One in four does not pay now, but later, when it may be too late.
  if (order.status === 'PENDING' && random.below(4) > 0) await world.pay(order.id);
}

/** Lets enough time pass for every webhook, sweep and reconciliation. Jobs that a fault has put off are made due at once. */
async function comeToRest(world: SubscriptionWorld, people: People): Promise<void> {
  for (let round = 0; round < 8; round++) {
    world.clock.advance(round < 6 ? DAY / 8 : 2 * DAY);
    world.sandbox.crypto.tick();
    world.sandbox.paypal.tick();
    for (const job of [...DAILY, 'renewals-reconcile', 'sweep', 'disputes-watch', 'balances-read'])
      await attempt(world.platform.queue.runNow(`accounts.${job}`));
    await world.rest();
    await people.shop.endWaiting(people.all);
    await people.shop.work();
  }
  // A loaded machine can time out by itself: what that has put off is made due at once, until nothing is left.
  for (let round = 0; round < 20 && (await jobRows(world.query).hurry()) > 0; round++) await world.rest();
}

const running = ({ query }: SubscriptionWorld) =>
  rowsOf<{ id: string }>(query, 'accounts.billing_subscription', { ended_at: null }, { columns: 'id', orderBy: 'id' });

async function seen({ query }: SubscriptionWorld) {
  const rows = (table: string, where?: Record<string, string>) => rowsOf(query, `accounts.${table}`, where);
  const having = (all: Record<string, unknown>[], column: string) => all.filter((row) => row[column] !== null).length;
  return {
    purchases: having(await rows('customer_order', { kind: 'PURCHASE' }), 'paid_at'),
    renewals: having(await rows('customer_order', { kind: 'RENEWAL' }), 'paid_at'),
    transfers: (await rows('payment', { processor: 'bank' })).length,
    refunds: (await rows('refund', { kind: 'REFUND' })).length,
    payOuts: (await rows('refund', { kind: 'PAY_OUT' })).length,
    byPayPal: (await rows('payment', { processor: 'paypal' })).length,
    inCoins: (await rows('payment', { processor: 'crypto' })).length,
    delivered: (await rows('customer_order', { status: 'FULFILLED' })).length,
    plans: (await rowsOf(query, 'static.plan')).length,
    closed: having(await rows('account'), 'closed_at'),
    disputes: (await rows('dispute')).length,
    payouts: (await rows('processor_payout')).length,
    reissues: having(await rows('invoice'), 'replaces_id'),
    failures: (await rows('mail', { kind: 'renewal_failed' })).length + (await rows('mail', { kind: 'renewal_suspended' })).length,
    ended: having(await rows('billing_subscription'), 'ended_at'),
  };
}
export type YearSeen = Awaited<ReturnType<typeof seen>>;
