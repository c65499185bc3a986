// Prices of one account for packages: in every offer of that account and in nobody else's, to the cent, as long as they are in force.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '#platform/clock.ts';
import { GB, MB } from '#platform/data-size.ts';
import { openOffer } from '#commerce/offers.ts';
import { anonymous, keyOf, sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential({ STAFF_DISCOUNT_LIMIT: '100' });
});
afterAll(() => world.close());

const finance = sessionOf('acct_desk', true);
const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = finance) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'], reason: errors?.[0]?.extensions['reasonCode'] };
};
const ARGS = '$accountId: ID!, $item: String!, $value: String!, $from: DateTime, $until: DateTime';
const GIVEN = 'accountId: $accountId, item: $item, value: $value, from: $from, until: $until';
const LINE = '{ id item value costs from until setBy reason endedAt state }';
const wish = (accountId: string, value: string, over: object = {}) => ({ accountId, item: 'residential.PREMIUM', value, ...over });
const set = (variables: object) =>
  ask(
    `mutation (${ARGS}, $tell: Boolean! = true) {
      set: supportResidentialAccountPriceSet(${GIVEN}, reason: "agreed by contract", tell: $tell) ${LINE} }`,
    { ...variables },
  );
const preview = (variables: object) =>
  ask(`query (${ARGS}) { moments: supportResidentialAccountPricePreview(${GIVEN}) { from value } }`, { ...variables });
const end = (id: string, tell = true) =>
  ask(`mutation ($id: ID!, $tell: Boolean!) { ended: supportResidentialAccountPriceEnd(id: $id, tell: $tell) ${LINE} }`, { id, tell });
const facts = async (id: string) => (await world.events(id)).map(({ type, data }) => ({ type, ...data }));
const list = async (accountId: string) =>
  (await ask(`query ($accountId: ID!) { prices: supportResidentialAccountPrices(accountId: $accountId) ${LINE} }`, { accountId })).data
    .prices;
const offer = async (accountId: string, gigabytes: number, product = 'PREMIUM') =>
  (
    await ask(
      `{ offer: residentialOffer(product: ${product}, gigabytes: ${gigabytes}) { token total { amountMinor } } }`,
      {},
      sessionOf(accountId),
    )
  ).data.offer;
const costs = async (...of: Parameters<typeof offer>) => (await offer(...of)).total.amountMinor;
const later = (milliseconds: number) => new Date(world.clock.now().getTime() + milliseconds);

test('a percentage is off every step to the cent, for this account, this product, and no offer that was signed before', async () => {
  const signed = await offer('acct_agreed', 10);
  const { data } = await set(wish('acct_agreed', '12.5%'));
  expect(data.set).toMatchObject({
    value: '12.50%',
    costs: '1: 4.38, 10: 3.94, 50: 3.50, 250: 2.98',
    state: 'IN_FORCE',
    setBy: 'acct_desk',
  });
  // 5.00, 4.50, 4.00 and 3.40 less 12.5 % are 4.375, 3.9375, 3.50 and 2.975; half up.
  expect(await Promise.all([1, 10, 50, 250].map((gigabytes) => costs('acct_agreed', gigabytes)))).toEqual([438, 3_940, 17_500, 74_500]);
  expect(await costs('acct_agreed', 10, 'MOBILE')).toBe(6_000);
  expect(await costs('acct_other', 10)).toBe(4_500);
  expect(openOffer(signed.token, 'acct_agreed', world.platform.secrets.offers, world.clock).totalMinor).toBe(4_500);
});

test('a catalogue that gets dearer takes the percentage along, and leaves a price as it is', async () => {
  await set(wish('acct_off', '10%'));
  await set(wish('acct_fixed', '1: 4.00, 100: 3.00'));
  await ask(
    'mutation { supportResidentialCatalogueSet(item: "residential.PREMIUM", field: "prices", value: "1: 8.00", reason: "dearer") { value } }',
  );
  expect([await costs('acct_off', 10), await costs('acct_fixed', 10), await costs('acct_fixed', 100)]).toEqual([7_200, 4_000, 30_000]);
  await ask(
    'mutation { supportResidentialCatalogueSet(item: "residential.PREMIUM", field: "prices", value: "1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40", reason: "back") { value } }',
  );
});

test('begins and ends by its dates; the preview says what holds from when on and changes nothing', async () => {
  const [from, until] = [later(DAY), later(3 * DAY)];
  const asked = wish('acct_dated', '1: 2.00', { from: from.toISOString(), until: until.toISOString() });
  const { data } = await preview(asked);
  const catalogue = '1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40';
  expect(data.moments).toEqual([
    { from: world.clock.now().toISOString(), value: catalogue },
    { from: from.toISOString(), value: '1: 2.00' },
    { from: until.toISOString(), value: catalogue },
  ]);
  expect(await list('acct_dated')).toEqual([]);
  await set(asked);
  const seen: number[] = [];
  for (const step of [0, DAY, 2 * DAY - 1, 1]) {
    world.clock.advance(step);
    seen.push(await costs('acct_dated', 10));
  }
  expect(seen).toEqual([4_500, 2_000, 2_000, 4_500]);
  expect(await list('acct_dated')).toMatchObject([{ state: 'PAST' }]);
});

test('is ended by staff from that moment on, once; one that has not begun never holds', async () => {
  const { id } = (await set(wish('acct_ended', '50%'))).data.set;
  const ahead = (await set(wish('acct_ended', '90%', { from: later(DAY).toISOString() }))).data.set;
  expect(await costs('acct_ended', 1)).toBe(250);
  world.clock.advance(MINUTE);
  expect((await end(id)).data.ended).toMatchObject({ state: 'PAST' });
  expect((await end(ahead.id)).data.ended).toMatchObject({ state: 'WITHDRAWN' });
  expect(await end(id)).toMatchObject({ code: 'action_not_allowed', reason: 'account_price_over' });
  expect(await end('acp_none')).toMatchObject({ code: 'parameter_invalid', reason: 'account_price_unknown' });
  world.clock.advance(2 * DAY);
  expect(await costs('acct_ended', 1)).toBe(500);
});

test('top-ups by hand and automatic ones cost it too', async () => {
  await set(wish('acct_topped', '1: 4.01'));
  const plan = await world.plan('acct_topped', 'PREMIUM', 2n * GB);
  const { data } = await ask(
    'query ($id: ID!) { offer: residentialTopUpOffer(planId: $id, gigabytes: 5) { total { amountMinor } } }',
    { id: plan.id },
    sessionOf('acct_topped'),
  );
  expect(data.offer.total.amountMinor).toBe(2_005);
  await ask(
    'mutation ($id: ID!, $input: AutoTopUpInput) { residentialPlanSetAutoTopUp(id: $id, input: $input) { id } }',
    { id: plan.id, input: { leftBytes: GB.toString(), gigabytes: 5, ceilingMinor: 6_000, pauseMinutes: 60 } },
    sessionOf('acct_topped'),
  );
  await world.use(plan, 1_500n * MB);
  const [request] = (await world.events(plan.id)).filter(({ type }) => type === 'residential_plan.top_up_asked');
  const asked = request?.data as { offer?: string } | undefined;
  expect(openOffer(asked?.offer ?? '', 'acct_topped', world.platform.secrets.offers, world.clock).totalMinor).toBe(2_005);
});

test('the customer sees it as their own, by session and by key; a stranger sees the catalogue', async () => {
  const until = later(5 * DAY).toISOString();
  await set(wish('acct_shown', '20%', { until }));
  const shown = async (viewer: Parameters<typeof ask>[2]) =>
    (await ask('{ residentialProducts { code prices { perGb { amountMinor } } ownPrice { until } } }', {}, viewer)).data
      .residentialProducts[0];
  for (const viewer of [sessionOf('acct_shown'), keyOf('acct_shown')])
    expect(await shown(viewer)).toMatchObject({
      code: 'PREMIUM',
      prices: [{ perGb: { amountMinor: 400 } }, {}, {}, {}],
      ownPrice: { until },
    });
  for (const viewer of [sessionOf('acct_stranger'), anonymous])
    expect(await shown(viewer)).toMatchObject({ prices: [{ perGb: { amountMinor: 500 } }, {}, {}, {}], ownPrice: null });
});

test.each([
  ['an item without a price', { item: 'residential.GOLD' }, 'account_price_item_unknown'],
  ['all of it off', { value: '100%' }, 'account_price_percent_unfit'],
  ['nothing off', { value: '0%' }, 'account_price_percent_unfit'],
  ['a third decimal', { value: '1: 4.001' }, 'catalogue_amounts_unfit'],
  ['nothing at 1 GB', { value: '10: 4.00' }, 'catalogue_amounts_unfit'],
  ['a beginning in the past', { from: '2020-01-01T00:00:00Z' }, 'catalogue_from_past'],
  ['an end before its beginning', { from: '2099-01-02T00:00:00Z', until: '2099-01-01T00:00:00Z' }, 'catalogue_until_early'],
])('refuses %s', async (_what, over, reason) => {
  expect(await set(wish('acct_refused', '10%', over))).toMatchObject({ code: 'parameter_invalid', reason });
  expect(await preview(wish('acct_refused', '10%', over))).toMatchObject({ code: 'parameter_invalid', reason });
  expect(await list('acct_refused')).toEqual([]);
});

test('staff set none for themselves, and each change is in the record of staff', async () => {
  expect(await set(wish('acct_desk', '10%'))).toMatchObject({ code: 'own_account_refused' });
  await set(wish('acct_recorded', '10%'));
  const acts = (await world.events('acct_desk')).filter(({ type }) => type === 'staff.acted').map(({ data }) => data as any);
  expect(acts.at(-1)).toMatchObject({
    act: 'supportResidentialAccountPriceSet',
    permission: 'account_prices',
    given: { accountId: 'acct_recorded', item: 'residential.PREMIUM', value: '10%', reason: 'agreed by contract' },
  });
});

test('what is set and ended is told with what it costs, for the mail to the customer, which staff may leave out', async () => {
  const steps = (...prices: number[]) =>
    [1, 10, 50, 250].slice(0, prices.length).map((from, index) => ({ from, amountMinor: prices[index] }));
  const about = { seller: 'residential', item: 'residential.PREMIUM', name: 'Premium' };
  const first = (await set(wish('acct_told', '12.5%'))).data.set;
  const from = world.clock.now().toISOString();
  const set1 = { ...about, type: 'account_price.set', prices: steps(438, 394, 350, 298), tell: true, from, running: false };
  expect(await facts(first.id)).toEqual([{ ...set1, offBasisPoints: 1_250, changes: false }]);
  const until = later(3 * DAY).toISOString();
  const second = (await set(wish('acct_told', '1: 4.00', { from: later(DAY).toISOString(), until, tell: false }))).data.set;
  expect(await facts(second.id)).toEqual([
    { ...set1, prices: steps(400), from: later(DAY).toISOString(), until, changes: true, tell: false },
  ]);
  await end(second.id, false);
  expect((await facts(second.id)).at(-1)).toEqual({
    ...{ ...about, type: 'account_price.ended', prices: steps(438, 394, 350, 298), tell: false },
    from: later(DAY).toISOString(),
  });
  world.clock.advance(MINUTE);
  await end(first.id);
  expect((await facts(first.id)).at(-1)).toEqual({ ...about, type: 'account_price.ended', prices: steps(500, 450, 400, 340), tell: true });
});
