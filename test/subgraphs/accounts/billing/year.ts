// A year of a few customers: they subscribe for 1, 3 and 6 months, change, cancel, change their minds, run out of money, pay late, are given credit, while notices come
// twice, late, crossed or never and the processor answers with trouble. Everything is drawn from one seed.
import { DAY } from '#platform/clock.ts';
import { prorate } from '#commerce/proration.ts';
import { type Dice, createDice } from '../../../../sandbox/dice.ts';
import { expectInvariants } from './invariants.ts';
import { LINE, type SubscriptionWorld } from './subscriptions/subscription-world.ts';
import type { Person } from './world.ts';

const MAX_PEOPLE = 3;
const BAD_CARD = '4000000000000341';
const GOOD_CARD = '4242424242424242';

const one = <Item>(dice: Dice, items: readonly Item[]): Item | undefined => items[dice.below(items.length)];

/** A refused or broken request is part of the year: what counts is judged afterwards. */
const attempt = (work: Promise<unknown>): Promise<unknown> => work.catch(() => {});

export interface YearSeen {
  purchases: number;
  renewals: number;
  failures: number;
  ended: number;
}

/** Lives through it and judges it; the failure names the seed. */
export async function liveYear(world: SubscriptionWorld, seed: number): Promise<YearSeen> {
  const dice = createDice(seed);
  const count = 1 + dice.below(MAX_PEOPLE);
  const people = await Promise.all(Array.from({ length: count }, (_, index) => world.account(`year${seed}-${index}@example.com`)));
  const desk = await world.account(`desk${seed}@example.com`, 'STAFF');
  const subscriptions: { id: string; owner: Person }[] = [];
  const { webhooks, api } = world.sandbox.card.faults;
  Object.assign(webhooks, { duplicate: 0.3, delay: 0.2, delayMs: 20, reorder: 0.2, drop: 0.05, forge: 0.05 });
  Object.assign(api.ratios, { error_before_effect: 0.01, error_after_effect: 0.01, lost_answer: 0.01 });
  const mutate = (owner: Person, mutation: string) => world.ask(owner.viewer, `mutation { ${mutation} }`);

  const deeds: (() => Promise<unknown>)[] = [
    async () => {
      if (subscriptions.length >= 2 * people.length) return;
      const owner = one(dice, people) as Person;
      const months = one(dice, [1, 1, 3, 6] as const) ?? 1;
      const id = world.newSubscription();
      const line = { ...LINE, amountMinor: 1_000 + dice.below(20_000) };
      const order = await world.place(owner, world.termsOf({ id, months, lines: [line] }, { taxBasisPoints: 1_900 * dice.below(2) }));
      subscriptions.push({ id, owner });
      if (order.status === 'PENDING') await world.pay(order.id);
    },
    async () => {
      const chosen = one(dice, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionCancel(id: "${chosen.id}") { id }`);
    },
    async () => {
      const chosen = one(dice, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionKeep(id: "${chosen.id}") { id }`);
    },
    async () => {
      const chosen = one(dice, subscriptions);
      if (chosen) await mutate(chosen.owner, `subscriptionPayNow(id: "${chosen.id}", idempotencyKey: "${world.newKey()}") { id }`);
    },
    async () => {
      const chosen = one(dice, subscriptions);
      const card = chosen && (await world.row(chosen.id)).card_id;
      if (card) world.sandbox.card.behave(card, dice.below(2) === 0 ? BAD_CARD : GOOD_CARD);
    },
    async () => {
      const chosen = one(dice, subscriptions);
      if (chosen) await change(world, dice, chosen);
    },
    () => world.grant((one(dice, people) as Person).id, 1 + dice.below(30_000), desk.viewer),
    () => world.platform.queue.runNow('accounts.renewals-reconcile'),
  ];
  for (let day = 0; day < 365;) {
    const days = 1 + dice.below(9);
    day += days;
    world.clock.advance(days * DAY);
    await attempt(world.rest());
    for (let count = dice.below(4); count > 0; count--) await attempt((one(dice, deeds) as () => Promise<unknown>)());
  }
  Object.assign(webhooks, { duplicate: 0, delay: 0, reorder: 0, drop: 0, forge: 0 });
  api.ratios = {};
  await comeToRest(world);
  await expectInvariants(world, `seed ${seed}`);
  return seen(world);
}

/** More or less of the same, at once: an upgrade is paid by card, a removal is credited. */
async function change(world: SubscriptionWorld, dice: Dice, { id, owner }: { id: string; owner: Person }): Promise<void> {
  const row = await world.row(id);
  const before = row.lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const next = dice.below(3) === 0 ? Math.max(500, dice.below(before)) : before + dice.below(10_000);
  const part = prorate({
    fullMinor: next - before,
    periodStart: row.current_period_start,
    periodEnd: row.current_period_end,
    at: world.clock.now(),
  });
  const subscription = { lines: [{ ...LINE, amountMinor: next }], basedOn: row.version, months: row.interval_count as 1 | 3 | 6 };
  const price = part >= 0 ? { lines: [{ ...LINE, amountMinor: part }] } : { lines: [], creditMinor: -part };
  await world.adjusted();
  const order = await world.change(owner, id, subscription, price);
  // Some pay later, when it may be too late.
  if (order.status === 'PENDING' && dice.below(4) > 0) await world.pay(order.id);
}

/** Long enough for every notice, sweep and reconciliation; what a fault has put off is due at once. */
async function comeToRest(world: SubscriptionWorld): Promise<void> {
  for (let round = 0; round < 8; round++) {
    world.clock.advance(round < 6 ? DAY / 8 : 2 * DAY);
    for (const job of ['orders-reconcile', 'orders-close', 'renewals-reconcile', 'sweep'])
      await attempt(world.platform.queue.runNow(`accounts.${job}`));
    await world.rest();
  }
  // A machine under load is slow enough for a fault of its own: what was put off is due at once, until nothing is.
  const putOff = () => world.query(`update pgboss.job set start_after = now() where state = 'retry' returning id`);
  for (let round = 0; round < 20 && (await putOff()).length > 0; round++) await world.rest();
}

async function seen({ query }: SubscriptionWorld): Promise<YearSeen> {
  const [row] = await query<Record<keyof YearSeen, string>>(
    `select (select count(*) from accounts.customer_order where kind = 'PURCHASE' and paid_at is not null) as purchases,
       (select count(*) from accounts.customer_order where kind = 'RENEWAL' and paid_at is not null) as renewals,
       (select count(*) from accounts.mail where kind in ('renewal_failed', 'renewal_suspended')) as failures,
       (select count(*) from accounts.billing_subscription where ended_at is not null) as ended`,
  );
  return {
    purchases: Number(row?.purchases),
    renewals: Number(row?.renewals),
    failures: Number(row?.failures),
    ended: Number(row?.ended),
  };
}
