// Proofs by arithmetic alone: every path of a renewal, and the price of every chain of changes.
import { expect, test } from 'vitest';
import { SECOND, TestClock, after } from '#platform/clock.ts';
import { type OfferLine, type OfferTerms, openOffer, priceOffer, signOffer, toOffer } from '#commerce/offers.ts';
import { prorate } from '#commerce/proration.ts';
import { periodEndAfter } from '../../../subgraphs/accounts/billing/subscriptions/domain/subscription.ts';
import { type VpsTerms, priceChange } from '../../../subgraphs/compute/orders/domain/vps-change.ts';
import { vpsLines } from '../../../subgraphs/compute/orders/domain/vps-order.ts';
import { VPS_PLAN_CODES, VPS_PRICES } from '../../../subgraphs/compute/catalogue/domain/vps-plan.ts';
import { EVENTS, walkRenewals } from '../../subgraphs/accounts/billing/renewals/renewal-paths.ts';
import { type Random, createRandom } from '../../../sandbox/random.ts';
import { SCALE, SEED, say, scaled } from '../scale.ts';

const LENGTH = SCALE < 1 ? 6 : 8;

test.each(['CARD', 'BANK_TRANSFER'] as const)('every path of up to eight events of a renewal, paid by %s', (method) => {
  const steps = walkRenewals(method, LENGTH);
  expect(steps).toBeGreaterThan(EVENTS.length);
  say(
    `${method}: every path of ${LENGTH} of ${EVENTS.length} events: ${(EVENTS.length ** LENGTH).toLocaleString('en')} paths, ${steps.toLocaleString('en')} steps judged`,
  );
});

const SECRET = ['a secret of the proof'] as const;
const clock = new TestClock('2026-01-01T00:00:00Z');

/** The model, independent of the product: prices in cents per month for 1, 3 and 6 months; time in seconds; rounding by comparing remainders. */
const PRICES = { PLANK: [3_200, 2_900, 2_833], BROGLIE: [4_400, 3_967, 3_900], EINSTEIN: [6_400, 5_800, 5_667] } as const;
const PERIODS = [1, 3, 6];
const modelPrice = ({ plan, months, extraIpv4, backups }: VpsTerms): number =>
  ((PRICES[plan][PERIODS.indexOf(months)] ?? 0) + extraIpv4 * 145 + (backups ? 500 : 0)) * months;
function modelPart(full: number, left: number, whole: number): number {
  const sign = full < 0 ? -1 : 1;
  const product = BigInt(Math.abs(full)) * BigInt(left);
  const quotient = product / BigInt(whole);
  const remainder = product % BigInt(whole);
  return sign * Number(remainder * 2n >= BigInt(whole) ? quotient + 1n : quotient);
}

const CODES = VPS_PLAN_CODES;
const RATES = [0, 770, 1_900, 2_000, 2_100];
const one = <Item>(random: Random, items: readonly Item[]): Item => items[random.below(items.length)] as Item;

/** A larger plan, more addresses or backups: something more expensive than before. */
function grow(random: Random, before: VpsTerms): VpsTerms {
  const at = CODES.indexOf(before.plan);
  const plan = random.below(2) === 0 ? one(random, CODES.slice(at)) : before.plan;
  const extraIpv4 = Math.min(8, before.extraIpv4 + random.below(3));
  return { ...before, plan, extraIpv4, backups: before.backups || random.below(4) === 0 };
}

const sum = (lines: readonly OfferLine[]) => lines.reduce((total, { amountMinor }) => total + amountMinor, 0);

function sell(terms: Pick<OfferTerms, 'lines' | 'subscription'>, rate: number) {
  const made = priceOffer(
    { id: 'off_1', accountId: 'acct_1', seller: 'compute', title: 'Upgrade', currency: 'USD', fulfil: {}, ...terms },
    rate,
    clock,
  );
  return { preview: toOffer(made, SECRET), charge: openOffer(signOffer(made, SECRET), 'acct_1', SECRET, clock) };
}

test('chains of upgrades and add-ons: the sum of the lines is the charge is the preview, never negative, and what the model says', () => {
  const count = scaled(100_000);
  let changes = 0;
  for (let index = 0; index < count; index++) {
    const seed = SEED + index;
    const random = createRandom(seed);
    const where = `seed ${seed}`;
    const months = one(random, [1, 3, 6] as const);
    const rate = one(random, RATES);
    const start = new Date(clock.now().getTime() + random.below(365 * 86_400) * SECOND);
    const end = periodEndAfter(start, start, months);
    const whole = (end.getTime() - start.getTime()) / SECOND;
    let terms: VpsTerms = { plan: one(random, CODES), months, extraIpv4: random.below(3), backups: false };
    expect(sum(vpsLines(terms, VPS_PRICES)), where).toBe(modelPrice(terms));
    let passed = 0;
    /** The exact price of the whole period, in cents times seconds. */
    let exact = 0n;
    let charged = 0;
    let steps = 0;
    for (let change = random.below(6); change > 0; change--) {
      passed += random.below(whole - passed);
      const next = grow(random, terms);
      const [was, is] = [modelPrice(terms), modelPrice(next)];
      const priced = priceChange(terms, next, {
        label: 'Upgrade',
        period: { start, end },
        at: after(start, passed * SECOND),
        prices: VPS_PRICES,
      });
      const subscription = { id: 'sub_1', months, lines: priced.recurring, basedOn: 1 } as const;
      const { preview, charge } = sell({ lines: priced.now, subscription }, rate);
      const net = modelPart(is - was, whole - passed, whole);
      const tax = modelPart(net, rate, 10_000);
      expect([sum(charge.lines), charge.subtotalMinor, charge.taxMinor, charge.totalMinor], where).toEqual([net, net, tax, net + tax]);
      expect(
        [preview.subtotal, preview.tax, preview.total].map(({ amountMinor }) => amountMinor),
        where,
      ).toEqual([net, tax, net + tax]);
      expect(sum(preview.lines.map(({ amount, ...line }) => ({ ...line, amountMinor: amount.amountMinor }))), where).toBe(net);
      expect(preview.renewal?.total.amountMinor, where).toBe(is + modelPart(is, rate, 10_000));
      expect(charge.totalMinor, where).toBeGreaterThanOrEqual(0);
      exact += BigInt(is - was) * BigInt(whole - passed);
      charged += net;
      changes += 1;
      steps += 1;
      terms = next;
      // Each change may be off by at most half a cent.
      expect(Math.abs(Number(BigInt(charged) * BigInt(whole) - exact)), where).toBeLessThanOrEqual((steps * whole) / 2);
    }
  }
  say(`${count.toLocaleString('en')} chains with ${changes.toLocaleString('en')} changes: lines = charge = preview = model, none negative`);
});

test('a removal in the middle of a period gives back no more than was paid for its rest', () => {
  const count = scaled(100_000);
  for (let index = 0; index < count; index++) {
    const seed = SEED + index;
    const random = createRandom(seed);
    const where = `seed ${seed}`;
    const whole = 28 * 86_400 + random.below(4) * 86_400;
    const full = 1 + random.below(500_000);
    const [added, removed] = [random.below(whole), random.below(whole)].sort((a, b) => a - b) as [number, number];
    const paid = modelPart(full, whole - added, whole);
    const period = { periodStart: clock.now(), periodEnd: after(clock.now(), whole * SECOND) };
    const creditMinor = prorate({ fullMinor: full, ...period, months: 1, at: after(clock.now(), removed * SECOND) });
    expect(creditMinor, where).toBe(modelPart(full, whole - removed, whole));
    const terms = {
      id: 'off_1',
      accountId: 'acct_1',
      seller: 'static' as const,
      title: 'Fewer',
      lines: [],
      currency: 'USD',
      fulfil: {},
      creditMinor,
    };
    const charge = priceOffer(terms, one(random, RATES), clock);
    const preview = toOffer(charge, SECRET);
    expect(charge.totalMinor, where).toBe(0);
    expect(creditMinor, where).toBeLessThanOrEqual(paid);
    expect(preview.credit?.amountMinor ?? 0, where).toBe(creditMinor + modelPart(creditMinor, charge.taxBasisPoints, 10_000));
  }
  say(`${count.toLocaleString('en')} removals: nothing is charged, and never more is given back than was paid`);
});
