// Coupons on orders and renewals: discounts to the cent, with tax, credit notes and changes, and the limits of coupons.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { COUPON_COMMANDS } from '../../../../../subgraphs/accounts/commands/desk-coupons.ts';
import type { Words } from '../../../../../subgraphs/accounts/commands/desk.ts';
import { codeOf, dataOf } from '../../world.ts';
import type { Person } from '../world.ts';
import { LINE, type SubscriptionWorld, startSubscriptions } from '../subscriptions/subscription-world.ts';
import { rowsOf } from '../../../../kit/tables.ts';

let world: SubscriptionWorld;
let desk: Person;
beforeAll(async () => {
  world = await startSubscriptions({ TAX_RATES: 'DE=19' });
  desk = await world.account('desk@example.com', 'STAFF');
});
afterAll(() => world.close());

let people = 0;
const someone = async (country = 'DE'): Promise<Person> => {
  const person = await world.account(`buyer${++people}@example.com`);
  await world.moveTo(person, country);
  return person;
};

const OPEN = `mutation ($input: SupportCouponInput!) { supportCouponOpen(input: $input) { id state codes { code uses maxUses } } }`;
interface Opened {
  id: string;
  state: string;
  codes: { code: string; uses: number; maxUses: number | null }[];
}
const open = async (input: Record<string, unknown>): Promise<Opened> =>
  dataOf<Opened>(await world.ask(desk.viewer, OPEN, { input: { name: 'Spring', ...input } }), 'supportCouponOpen');
const coupon = (id: string) =>
  world
    .ask(desk.viewer, 'query ($id: ID!) { supportCoupon(id: $id) { state uses given { amountMinor } codes { code uses } } }', { id })
    .then((answer) =>
      dataOf<{ state: string; uses: number; given: { amountMinor: number }; codes: { uses: number }[] }>(answer, 'supportCoupon'),
    );

const ORDER =
  'id status checkoutUrl lines { label amount { amountMinor } } coupon { code periods discount { amountMinor } } subtotal { amountMinor } tax { amountMinor } total { amountMinor }';
const PLACE = `mutation ($offer: String!, $key: String!, $coupon: String) {
  orderPlace(offer: $offer, method: CARD, idempotencyKey: $key, coupon: $coupon) { ${ORDER} } }`;
const PREVIEW = `query ($offer: String!, $coupon: String) { orderPreview(offer: $offer, coupon: $coupon) {
  offer { token subtotal { amountMinor } tax { amountMinor } total { amountMinor } renewal { total { amountMinor } } }
  coupon { code periods discount { amountMinor } } couponRenewal { amountMinor } toPay { amountMinor } } }`;
interface Shown {
  offer: { token: string; subtotal: { amountMinor: number }; tax: { amountMinor: number }; total: { amountMinor: number } };
  coupon: { code: string; periods: number | null; discount: { amountMinor: number } } | null;
  couponRenewal: { amountMinor: number } | null;
  toPay: { amountMinor: number };
}
interface Placed {
  id: string;
  status: string;
  lines: { label: string; amount: { amountMinor: number } }[];
  coupon: { code: string; periods: number | null; discount: { amountMinor: number } } | null;
  subtotal: { amountMinor: number };
  tax: { amountMinor: number };
  total: { amountMinor: number };
}
/** 5 GB of Premium for 25.00. */
const PACKAGE: Partial<OfferTerms> = { item: 'residential.PREMIUM', taxBasisPoints: 1_900, taxMinor: 475, totalMinor: 2_975 };
const ask = (person: Person, code: string, terms = PACKAGE) =>
  world.ask(person.viewer, PLACE, { offer: world.offer(person.id, terms), key: world.newKey(), coupon: code });
const place = async (person: Person, code: string, terms = PACKAGE) => dataOf<Placed>(await ask(person, code, terms), 'orderPlace');
const preview = async (person: Person, code: string, terms = PACKAGE) =>
  dataOf<Shown>(await world.ask(person.viewer, PREVIEW, { offer: world.offer(person.id, terms), coupon: code }), 'orderPreview');
const reasonOf = ({ errors }: Awaited<ReturnType<typeof ask>>) => errors?.[0]?.extensions?.['reasonCode'];

test('a percentage is taken off before tax, the preview is the charge, and invoice, books and a refund are of what was paid', async () => {
  const { id } = await open({ basisPoints: 3_333, codes: ['spring-33'], items: ['residential'] });
  const ada = await someone();
  const shown = await preview(ada, ' Spring-33 ');
  // 33.33 % of 25.00 is 8.3325; 19 % of 16.67 is 3.1673.
  expect(shown).toMatchObject({
    coupon: { code: 'SPRING-33', periods: 1, discount: { amountMinor: 833 } },
    couponRenewal: null,
    offer: { subtotal: { amountMinor: 1_667 }, tax: { amountMinor: 317 }, total: { amountMinor: 1_984 } },
    toPay: { amountMinor: 1_984 },
  });
  const order = dataOf<Placed>(
    await world.ask(ada.viewer, PLACE, { offer: shown.offer.token, key: world.newKey(), coupon: 'SPRING-33' }),
    'orderPlace',
  );
  expect(order.lines.map(({ amount }) => amount.amountMinor)).toEqual([2_500, -833]);
  expect([order.subtotal, order.tax, order.total].map(({ amountMinor }) => amountMinor)).toEqual([1_667, 317, 1_984]);
  await world.pay(order.id);
  await world.settle();
  expect(world.sandbox.card.charges().at(-1)?.amount).toBe(1_984);
  expect(await world.books(order.id)).toEqual({ PROCESSOR: 1_984, REVENUE: -1_667, TAX: -317 });
  await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD' });
  await world.settle();
  const papers = await rowsOf<{ kind: string; total_minor: string; tax_minor: string }>(
    world.query,
    'accounts.invoice',
    { order_id: order.id },
    { columns: 'kind, total_minor, tax_minor', orderBy: 'issued_at' },
  );
  expect(papers).toEqual([
    { kind: 'INVOICE', total_minor: '1984', tax_minor: '317' },
    { kind: 'CREDIT_NOTE', total_minor: '1984', tax_minor: '317' },
  ]);
  expect(await coupon(id)).toMatchObject({ uses: 1, given: { amountMinor: 833 }, codes: [{ uses: 1 }] });
});

test("a preview's offer that is ordered without the coupon costs its whole price", async () => {
  await open({ basisPoints: 5_000, codes: ['HALF-ONCE'] });
  const bea = await someone();
  const { offer } = await preview(bea, 'HALF-ONCE');
  const answer = await world.ask(bea.viewer, PLACE, { offer: offer.token, key: world.newKey() });
  expect(dataOf<Placed>(answer, 'orderPlace')).toMatchObject({ total: { amountMinor: 2_975 }, coupon: null });
});

test('an amount takes off no more than the price, and what costs nothing then is delivered without a payment', async () => {
  await open({ amountMinor: 5_000, codes: ['GIFT'] });
  const cem = await someone('US');
  const order = await place(cem, 'GIFT', { item: 'residential.PREMIUM' });
  expect(order).toMatchObject({ status: 'PAID', total: { amountMinor: 0 }, coupon: { discount: { amountMinor: 2_500 } } });
  expect(await rowsOf(world.query, 'accounts.invoice', { order_id: order.id })).toEqual([]);
});

test('of a subscription it holds for its periods, as shown before, and the next one is at the list price', async () => {
  const { id: couponId } = await open({ basisPoints: 2_500, periods: 2, codes: ['TWO'] });
  const dot = await someone();
  const subscription = { id: world.newSubscription() };
  const terms = { ...world.termsOf(subscription, { taxBasisPoints: 1_900 }), item: 'vps.PLANK' };
  // 25 % of 16.99 is 4.2475; 19 % of 12.74 is 2.4206.
  expect(await preview(dot, 'TWO', terms)).toMatchObject({
    coupon: { periods: 2, discount: { amountMinor: 425 } },
    couponRenewal: { amountMinor: 1_516 },
    offer: { renewal: { total: { amountMinor: 2_022 } } },
    toPay: { amountMinor: 1_516 },
  });
  const order = await place(dot, 'TWO', terms);
  await world.pay(order.id);
  await world.rest();
  const upcoming = async () =>
    dataOf<{ upcomingRenewals: { total: { amountMinor: number } }[] }>(
      await world.ask(dot.viewer, '{ me { upcomingRenewals { total { amountMinor } } } }'),
      'me',
    ).upcomingRenewals.map(({ total }) => total.amountMinor);
  const charged = () =>
    world.sandbox.card
      .charges()
      .filter(({ paid }) => paid)
      .at(-1)?.amount;
  expect([charged(), await upcoming()]).toEqual([1_516, [1_516]]);
  await world.toPeriodEnd(subscription.id);
  expect([charged(), await upcoming()]).toEqual([1_516, [2_022]]);
  await world.toPeriodEnd(subscription.id);
  expect([charged(), await upcoming()]).toEqual([2_022, [2_022]]);
  expect(await coupon(couponId)).toMatchObject({ uses: 1, given: { amountMinor: 850 } });
});

test('what a coupon has paid of a period is not given back when a part of it is taken away, and what recurs counts without it', async () => {
  await open({ basisPoints: 5_000, periods: 0, codes: ['ALWAYS'] });
  const eve = await someone('US');
  const id = world.newSubscription();
  const order = await place(eve, 'ALWAYS', { ...world.termsOf({ id }), item: 'static.isp' });
  await world.pay(order.id);
  await world.rest();
  const moved = () =>
    rowsOf<{ after_minor: string }>(world.query, 'accounts.recurring_movement', { subscription_id: id }, { orderBy: 'number' });
  expect((await moved()).map(({ after_minor: yearly }) => yearly)).toEqual([String((1_699 - 850) * 12)]);
  const before = await world.balance(eve);
  // The whole plan is removed at once. Its list price is twice what was paid.
  const change = await world.change(
    eve,
    id,
    { lines: [{ ...LINE, amountMinor: 1_000 }], basedOn: (await world.row(id)).version },
    { lines: [], creditMinor: 1_699 },
  );
  expect(change.status).toBe('PAID');
  expect((await world.balance(eve)) - before).toBe(849);
  await world.adjusted();
  expect((await moved()).at(-1)?.after_minor).toBe(String(500 * 12));
});

test('a coupon is refused with its reason where it does not hold', async () => {
  const now = world.clock.now();
  await open({ basisPoints: 1_000, codes: ['LATER'], beginsAt: after(now, DAY).toISOString(), endsAt: after(now, 2 * DAY).toISOString() });
  await open({ basisPoints: 1_000, codes: ['SERVERS'], items: ['vps', 'dedicated.CURIE'] });
  await open({ basisPoints: 1_000, codes: ['BIG'], minMinor: 2_501 });
  await open({ basisPoints: 1_000, codes: ['FIRST'], firstOrder: true });
  await open({ basisPoints: 1_000, codes: ['ONE-IN-ALL'], maxUses: 1, maxUsesOfAccount: 0 });
  const finn = await someone('US');
  const terms = { item: 'residential.PREMIUM' };
  const why = async (code: string, more: Partial<OfferTerms> = terms) => reasonOf(await ask(finn, code, more));
  expect(await why('LATER')).toBe('coupon_not_yet');
  expect(await why('SERVERS')).toBe('coupon_other_products');
  expect(await why('SERVERS', {})).toBe('coupon_other_products');
  expect(await why('BIG')).toBe('coupon_minimum');
  expect(await why('ALWAYS', { ...terms, custom: true })).toBe('coupon_not_here');
  expect(await why('NONE')).toBe('coupon_unknown');
  const first = await place(finn, 'FIRST', terms);
  await world.pay(first.id);
  await world.settle();
  expect(await why('FIRST')).toBe('coupon_first_order');
  const only = await place(finn, 'ONE-IN-ALL', terms);
  expect(await why('ONE-IN-ALL')).toBe('coupon_used_up');
  await world.ask(finn.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { id } }', { id: only.id });
  expect(await why('ONE-IN-ALL')).toBeUndefined();
  world.clock.advance(2 * DAY);
  expect(await why('LATER')).toBe('coupon_unknown');
});

test('of many who use the last of a coupon at once one has it, and an account has it once', async () => {
  await open({ basisPoints: 1_000, codes: ['LAST'], maxUses: 1 });
  const crowd = await Promise.all(Array.from({ length: 5 }, () => someone('US')));
  const answers = await Promise.all(crowd.map((person) => ask(person, 'LAST', { item: 'residential.PREMIUM' })));
  expect(answers.map(reasonOf).toSorted()).toEqual([...Array.from({ length: 4 }, () => 'coupon_used_up'), undefined]);
  await open({ basisPoints: 1_000, codes: ['MINE', 'MINE-TOO'] });
  const gil = await someone('US');
  await place(gil, 'MINE', { item: 'residential.PREMIUM' });
  expect(reasonOf(await ask(gil, 'MINE-TOO', { item: 'residential.PREMIUM' }))).toBe('coupon_used_before');
});

test('codes that do not exist are slowed for the account that tries them', async () => {
  const hal = await someone('US');
  const codes: (string | undefined)[] = [];
  for (let round = 0; round < 12; round++) codes.push(codeOf(await ask(hal, `GUESS-${round}`)));
  expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'coupon_invalid'));
  expect(codes.at(-1)).toBe('too_many_attempts');
});

test('staff make further codes, end a coupon, and may not without the permission', async () => {
  const { id, codes } = await open({ amountMinor: 100, generate: 3, usesOfCode: 1 });
  expect(codes).toHaveLength(3);
  expect(codes.every(({ code, maxUses }) => /^[A-Z0-9]{12}$/.test(code) && maxUses === 1)).toBe(true);
  const [first = { code: '' }] = codes;
  await place(await someone('US'), first.code, {});
  expect(reasonOf(await ask(await someone('US'), first.code, {}))).toBe('coupon_used_up');
  const ADD = 'mutation ($id: ID!, $codes: [String!]!) { supportCouponAddCodes(id: $id, codes: $codes) { codes { code } } }';
  expect(codeOf(await world.ask(desk.viewer, ADD, { id, codes: [first.code] }))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(desk.viewer, ADD, { id, codes: ['a b'] }))).toBe('parameter_invalid');
  expect(dataOf<Opened>(await world.ask(desk.viewer, ADD, { id, codes: ['and-more'] }), 'supportCouponAddCodes').codes).toHaveLength(4);
  const END = 'mutation ($id: ID!) { supportCouponEnd(id: $id) { state } }';
  const helper = { ...desk.viewer, permissions: [] };
  expect(codeOf(await world.ask(helper, END, { id }))).toBe('permission_missing');
  expect(dataOf(await world.ask(desk.viewer, END, { id }), 'supportCouponEnd')).toEqual({ state: 'OVER' });
  expect(codeOf(await world.ask(desk.viewer, END, { id }))).toBe('action_not_allowed');
  expect(reasonOf(await ask(await someone('US'), 'AND-MORE', {}))).toBe('coupon_unknown');
  const wrong = [{ codes: ['X'] }, { basisPoints: 1, amountMinor: 1, codes: ['ABC'] }, { basisPoints: 10_001, codes: ['ABC'] }];
  for (const input of [...wrong, { basisPoints: 1 }, { basisPoints: 1, codes: ['ABC'], items: ['houses'] }])
    expect(codeOf(await world.ask(desk.viewer, OPEN, { input: { name: 'Wrong', ...input } }))).toBe('parameter_invalid');
});

test('the same is done by commands', async () => {
  const run = (command: string, of: string, more: Partial<Words> = {}) =>
    COUPON_COMMANDS[command]?.run(world.as(desk.viewer), { ...more, of }) ?? expect.fail(`no ${command}`);
  const [made = '', code] = (
    await run('coupon-open', 'Autumn', { amount: '12.5%', codes: 'autumn', periods: '3', items: 'vps,static' })
  ).split('\n');
  expect(made).toMatch(/^coup_\w+ takes 12\.5 % off\.$/);
  expect(code).toBe('AUTUMN\t0 of any');
  const [id = ''] = made.split(' ');
  expect(await run('coupons', 'open')).toContain(`${id}\tACTIVE\t12.5 %\t3 of its periods\tvps,static\t0 of any\t0.00 USD given\tAutumn`);
  expect(await run('coupon-codes', id, { codes: 'autumn-2', uses: '1' })).toBe('AUTUMN\t0 of any\nAUTUMN-2\t0 of 1');
  expect(await run('coupon-end', id)).toBe(`${id} is over.`);
  expect(await run('coupons', 'over')).toContain(`${id}\tOVER`);
  await expect(run('coupon-open', 'Wrong', { amount: '1e3' })).rejects.toThrow('--amount is what is taken off');
});
