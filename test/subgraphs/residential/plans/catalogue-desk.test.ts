// The catalogue of residential products at the desk, and what a change means for buyers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DAY, HOUR, after } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { openPlatform } from '#platform/platform.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { openOffer } from '#commerce/offers.ts';
import { residential } from '../../../../subgraphs/residential/subgraph.ts';
import { NOWHERE, givenVendors } from '../../../kit/nowhere.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
let folder: string;
beforeAll(async () => {
  world = await startResidential();
  folder = mkdtempSync(join(tmpdir(), 'egress-catalogue-'));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const staff = sessionOf('acct_desk', true);
const LINE = '{ value ahead { from value } history { id value from until setBy reason state } }';
const ARGS = '$item: String!, $field: String!, $value: String!, $from: DateTime, $until: DateTime';
const GIVEN = 'item: $item, field: $field, value: $value, from: $from, until: $until';

const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = staff) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'], reason: errors?.[0]?.extensions['reasonCode'] };
};
const premium = (value: string, over: object = {}) => ({ item: 'residential.PREMIUM', field: 'prices', value, ...over });
const set = (variables: object) =>
  ask(`mutation (${ARGS}) { supportResidentialCatalogueSet(${GIVEN}, reason: "dearer bandwidth") ${LINE} }`, { ...variables });
const preview = (variables: object) =>
  ask(`query (${ARGS}) { supportResidentialCataloguePreview(${GIVEN}) { from value } }`, { ...variables });
const offer = (product = 'PREMIUM', gigabytes = 10) =>
  ask(
    `{ residentialOffer(product: ${product}, gigabytes: ${gigabytes}) { token title total { amountMinor } } }`,
    {},
    sessionOf('acct_buyer'),
  );
/** Restores the release's default prices. */
afterEach(() => set(premium('1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40')));
const costs = async () => (await offer()).data?.residentialOffer.total.amountMinor;

/** Starts a second platform on the same database, in place of another process. */
async function startOther(over: object = {}) {
  const { config, databaseUrl, clock } = world.platform;
  const platform = await openPlatform({ ...config, ...over }, databaseUrl, givenVendors(NOWHERE), { clock, log: silentLog });
  try {
    const { systemContext, close } = await startSubgraph(platform, residential, { work: false });
    return {
      premium: () => systemContext('test').providers.products.PREMIUM,
      async close() {
        await close();
        await platform.close();
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}

test('shows what a release sells, before anybody has set anything', async () => {
  const { data } = await ask('{ supportResidentialCatalogue { item name kind value history { setBy state } } }');
  expect(data.supportResidentialCatalogue).toHaveLength(20);
  expect(data.supportResidentialCatalogue.slice(0, 4)).toMatchObject([
    { item: 'residential.PREMIUM', name: 'name', kind: 'TEXT', value: 'Premium' },
    { item: 'residential.PREMIUM', name: 'sold', kind: 'FLAG', value: 'true' },
    { item: 'residential.PREMIUM', name: 'validDays', kind: 'DAYS', value: 'for ever' },
    {
      item: 'residential.PREMIUM',
      name: 'prices',
      kind: 'AMOUNTS',
      value: '1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40',
      history: [{ setBy: 'release', state: 'IN_FORCE' }],
    },
  ]);
});

test('a price from now on is charged at once; an offer signed before keeps its price', async () => {
  const { token } = (await offer()).data.residentialOffer;
  expect(await costs()).toBe(4_500);
  const { data } = await set(premium('1: 6.00, 10: 5.50'));
  const { value, history } = data.supportResidentialCatalogueSet;
  expect(value).toBe('1: 6.00, 10: 5.50');
  expect(history[0]).toMatchObject({ value, setBy: 'acct_desk', reason: 'dearer bandwidth', state: 'IN_FORCE', until: null });
  expect(history.at(-1)).toMatchObject({ setBy: 'release', state: 'PAST' });
  expect(await costs()).toBe(5_500);
  expect(openOffer(token, 'acct_buyer', world.platform.secrets.offers, world.clock).totalMinor).toBe(4_500);
});

test('a price with a date starts by itself on that date, and one with an end stops at it', async () => {
  const now = world.clock.now();
  const [from, until] = [after(now, DAY), after(now, 2 * DAY)];
  const change = premium('1: 4.00', { from: from.toISOString(), until: until.toISOString() });
  const promised = (await preview(change)).data.supportResidentialCataloguePreview;
  expect(promised).toEqual([
    { from: now.toISOString(), value: '1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40' },
    { from: from.toISOString(), value: '1: 4.00' },
    { from: until.toISOString(), value: '1: 5.00, 10: 4.50, 50: 4.00, 250: 3.40' },
  ]);
  expect(await costs()).toBe(4_500);
  expect((await set(change)).data.supportResidentialCatalogueSet.ahead).toEqual(promised);
  const charged = [];
  for (const at of [new Date(from.getTime() - 1), from, new Date(until.getTime() - 1), until]) {
    world.clock.set(at);
    charged.push(await costs());
  }
  expect(charged).toEqual([4_500, 4_000, 4_000, 4_500]);
});

test('a change can be withdrawn only before it begins', async () => {
  const from = after(world.clock.now(), HOUR).toISOString();
  const [ahead] = (await set(premium('1: 9.00', { from }))).data.supportResidentialCatalogueSet.history;
  const WITHDRAW = `mutation ($id: ID!) { supportResidentialCatalogueWithdraw(id: $id) ${LINE} }`;
  const { data } = await ask(WITHDRAW, { id: ahead.id });
  expect(data.supportResidentialCatalogueWithdraw.ahead).toHaveLength(1);
  expect(data.supportResidentialCatalogueWithdraw.history[0]).toMatchObject({ id: ahead.id, state: 'WITHDRAWN' });
  world.clock.advance(2 * HOUR);
  expect(await costs()).toBe(4_500);
  const [begun] = (await set(premium('1: 9.00'))).data.supportResidentialCatalogueSet.history;
  expect(await ask(WITHDRAW, { id: begun.id })).toMatchObject({ code: 'action_not_allowed', reason: 'catalogue_change_begun' });
  expect(await ask(WITHDRAW, { id: 'cat_none' })).toMatchObject({ code: 'parameter_invalid', reason: 'catalogue_change_unknown' });
});

test.each([
  ['catalogue_field_unknown', { item: 'residential.GOLD' }],
  ['catalogue_field_unknown', { field: 'price' }],
  ['catalogue_amounts_unfit', { value: '1: free' }],
  ['catalogue_amounts_unfit', { value: '10: 4.00' }],
  ['catalogue_text_unfit', { field: 'name', value: ' ' }],
  ['catalogue_flag_unfit', { field: 'sold', value: 'no' }],
  ['catalogue_days_unfit', { field: 'validDays', value: '0' }],
  ['catalogue_from_past', { from: '2020-01-01T00:00:00Z' }],
  ['catalogue_until_early', { from: '2099-01-02T00:00:00Z', until: '2099-01-02T00:00:00Z' }],
])('%s: neither shown nor set: %j', async (reason, over) => {
  const change = premium('1: 4.00', over);
  expect(await preview(change)).toMatchObject({ code: 'parameter_invalid', reason });
  expect(await set(change)).toMatchObject({ code: 'parameter_invalid', reason });
  expect(await costs()).toBe(4_500);
});

test('a product no longer sold is neither offered nor shown; its plans run on, and it can be sold again', async () => {
  const plan = await world.plan('acct_buyer', 'MOBILE');
  const sold = { item: 'residential.MOBILE', field: 'sold' };
  const shop = async () =>
    (await ask('{ residentialProducts { code } }')).data.residentialProducts.map(({ code }: { code: string }) => code);
  await set({ ...sold, value: 'false' });
  expect(await offer('MOBILE')).toMatchObject({ code: 'not_sold' });
  expect(await shop()).toEqual(['PREMIUM', 'PRIVATE_RESIDENTIAL', 'ALT_RESIDENTIAL']);
  const { data } = await ask(`{ residentialPlan(id: "${plan.id}") { status product { name } } }`, {}, sessionOf('acct_buyer'));
  expect(data.residentialPlan).toEqual({ status: 'ACTIVE', product: { name: 'Mobile' } });
  await set({ ...sold, value: 'true' });
  expect((await offer('MOBILE')).code).toBeUndefined();
});

test('the catalogue desk is for staff only', async () => {
  const anybody = sessionOf('acct_buyer');
  expect((await ask('{ supportResidentialCatalogue { item } }', {}, anybody)).code).toBe('forbidden');
});

test('a change reaches every process', async () => {
  const other = await startOther();
  await set(premium('1: 7.00'));
  await vi.waitFor(() => expect(other.premium().prices).toEqual([{ fromGb: 1, perGbMinor: 700 }]));
  await other.close();
});

test('a file is imported once, at a start: what the desk sets stays until the file changes', async () => {
  const file = join(folder, 'catalogue.json');
  const startWith = async (content: object) => {
    writeFileSync(file, JSON.stringify(content));
    const other = await startOther({ CATALOGUE_FILE: file });
    const { name, prices } = other.premium();
    await other.close();
    return [name, prices[0]?.perGbMinor];
  };
  const mine = { residential: { PREMIUM: { name: 'Gold', prices: { 1: '9.00' } } } };
  expect(await startWith(mine)).toEqual(['Gold', 900]);
  await world.context().providers.catalogue.reload();
  await set(premium('1: 8.00'));
  expect(await startWith(mine)).toEqual(['Gold', 800]);
  // Fields that the file does not name stay as they are; fields that have the file's value already are not changed again.
  expect(await startWith({ residential: { PREMIUM: { name: 'Gold', prices: { 1: '10.00' } } } })).toEqual(['Gold', 1_000]);
  expect(await startWith({ residential: {} })).toEqual(['Gold', 1_000]);
  const names = world.context().providers.catalogue;
  await names.reload();
  expect(names.entries().filter(({ field, setBy }) => field === 'name' && setBy === 'file')).toHaveLength(1);
  await expect(startWith({ residental: {} })).rejects.toThrow('residental: is not known');
});
