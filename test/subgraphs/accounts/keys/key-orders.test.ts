// Orders that a key places: paid by credit or the saved card, once each, never above the ceiling, with a mail and a line of activity.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, after } from '#platform/clock.ts';
import { appendEvents } from '#platform/events.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { Viewer } from '#platform/identity.ts';
import { residential } from '../../../../subgraphs/residential/subgraph.ts';
import { issueApiKey } from '../../../../subgraphs/accounts/keys/services/issue-api-key.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { checkoutAt } from '../../../kit/purchase.ts';
import { actsOf, rowsOf } from '../../../kit/tables.ts';
import { codeOf, dataOf } from '../world.ts';
import { type BillingWorld, type Person, startBilling } from '../billing/world.ts';

let world: BillingWorld;
let desk: Viewer;
beforeAll(async () => {
  world = await startBilling({}, { sellers: [residential] });
  desk = (await world.account('desk@example.com', 'STAFF')).viewer;
});
afterAll(() => world?.close());

const rest = async () => {
  for (let quiet = 0; quiet < 2;) quiet = (await world.settle()) ? 0 : quiet + 1;
};
const GRANT =
  'mutation ($id: ID!, $minor: Int!) { supportApiKeyGrantOrders(id: $id, ceilingMinor: $minor) { orders { granted { amountMinor } } } }';
const LOWER =
  'mutation ($id: ID!, $minor: Int!) { apiKeySetOrderCeiling(id: $id, ceilingMinor: $minor) { orders { ceiling { amountMinor } } } }';
const ORDER = `mutation ($offer: String!, $key: String!) { keyOrderPlace(offer: $offer, idempotencyKey: $key) {
  id status automatic credit { amountMinor } total { amountMinor } } }`;
const ALLOWED = '{ keyOrders { granted { amountMinor } ceiling { amountMinor } spent { amountMinor } } }';

interface Buyer {
  person: Person;
  keyId: string;
  key: Viewer;
}

/** Somebody with a key that may order for so much a month. */
async function buyer(name: string, ceilingMinor: number): Promise<Buyer> {
  const person = await world.account(`${name}@example.com`);
  const terms = { kind: 'PARTNER' as const, scopes: ['plans' as const], allowedAddresses: [] };
  const { row } = await issueApiKey(world.context(), { accountId: person.id, expiresAt: null, terms });
  const key = { ...sessionOf(person.id), kind: 'key', keyId: row.id, scopes: ['plans'] } as unknown as Viewer;
  if (ceilingMinor > 0) expect((await world.ask(desk, GRANT, { id: row.id, minor: ceilingMinor })).errors).toBeUndefined();
  return { person, keyId: row.id, key };
}

/** The offer of a Premium plan of so many GB at 5.00 each, as the key is told it. */
async function offerOf({ key }: Buyer, gigabytes = 5): Promise<string> {
  const [seller] = world.sellers;
  if (!seller) throw new Error('nobody sells');
  const { data } = await createSubgraphRunner(seller, world.platform.log).execute(
    { query: 'query ($gb: Int!) { residentialOffer(product: PREMIUM, gigabytes: $gb) { token } }', variables: { gb: gigabytes } },
    key,
  );
  return (data as { residentialOffer: { token: string } }).residentialOffer.token;
}
const place = async (who: Buyer, offer: string, key = world.newKey()) => world.ask(who.key, ORDER, { offer, key });
const ordered = async (who: Buyer, gigabytes?: number) =>
  dataOf<{ id: string; status: string; automatic: boolean; credit: { amountMinor: number }; total: { amountMinor: number } }>(
    await place(who, await offerOf(who, gigabytes)),
    'keyOrderPlace',
  );
const ordersOf = ({ person }: Buyer) =>
  rowsOf<{ id: string; status: string }>(world.query, 'accounts.customer_order', { account_id: person.id }, { orderBy: 'id' });
const allowed = async ({ key }: Buyer) => {
  const { granted, ceiling, spent } = dataOf<Record<string, { amountMinor: number }>>(await world.ask(key, ALLOWED), 'keyOrders');
  return [granted?.amountMinor, ceiling?.amountMinor, spent?.amountMinor];
};
async function saveCard({ person: { viewer } }: Buyer, number?: string): Promise<void> {
  const { url } = dataOf<{ url: string }>(await world.ask(viewer, 'mutation { cardAdd { url } }'), 'cardAdd');
  world.sandbox.card.payCheckout(checkoutAt(url), number);
  await rest();
}
const credit = async ({ person }: Buyer, minor: number) => expect((await world.grant(person.id, minor, desk)).errors).toBeUndefined();

test('credit pays at once, the plan is delivered, and its owner is told', async () => {
  const ada = await buyer('ada', 10_000);
  await credit(ada, 5_000);
  const order = await ordered(ada);
  expect(order).toMatchObject({ status: 'PAID', automatic: true, credit: { amountMinor: 2_500 }, total: { amountMinor: 0 } });
  await rest();
  expect(await ordersOf(ada)).toMatchObject([{ id: order.id, status: 'FULFILLED' }]);
  expect(await allowed(ada)).toEqual([10_000, 10_000, 2_500]);
  expect(await world.balance(ada.person)).toBe(2_500);
  const mails = await world.mailed(ada.person.email);
  expect(mails.map(({ subject }) => subject)).toEqual(
    expect.arrayContaining(['Your API key may order for 100.00 USD a month', expect.stringMatching(/^Your API key has ordered Premium/)]),
  );
  expect(mails.map(({ text }) => text).join('\n')).toContain('It may order for 75.00 USD more in this month.');
  expect(await actsOf(world.query, ada.person.id)).toEqual(
    expect.arrayContaining(['SUPPORT api_key.order_ceiling_set', 'API_KEY api_key.ordered']),
  );
});

test('one offer that comes at once with several idempotency keys is ordered, told and counted once', async () => {
  const abe = await buyer('abe', 10_000);
  await credit(abe, 5_000);
  const offer = await offerOf(abe);
  await Promise.all(Array.from({ length: 6 }, () => place(abe, offer)));
  await rest();
  expect(await ordersOf(abe)).toMatchObject([{ status: 'FULFILLED' }]);
  expect(await allowed(abe)).toEqual([10_000, 10_000, 2_500]);
  const told = (await world.mailed(abe.person.email)).filter(({ subject }) => subject.startsWith('Your API key has ordered'));
  expect(told).toHaveLength(1);
  expect(told[0]?.text).toContain('It may order for 75.00 USD more in this month.');
  expect((await actsOf(world.query, abe.person.id)).filter((act) => act === 'API_KEY api_key.ordered')).toHaveLength(1);
});

test('the saved card is charged what credit does not cover, once, however often the request and the job come', async () => {
  const bea = await buyer('bea', 10_000);
  await saveCard(bea);
  await credit(bea, 1_000);
  const before = world.sandbox.card.charges().length;
  const offer = await offerOf(bea);
  const answers = await Promise.all(Array.from({ length: 6 }, () => place(bea, offer, 'one-and-the-same')));
  expect(new Set(answers.map((answer) => codeOf(answer)))).toEqual(new Set([undefined, 'idempotency_in_flight']));
  await rest();
  const [order] = await ordersOf(bea);
  expect(await ordersOf(bea)).toMatchObject([{ status: 'FULFILLED' }]);
  expect(dataOf(await place(bea, offer, 'one-and-the-same'), 'keyOrderPlace')).toMatchObject({ id: order?.id });
  await world.platform.queue.runNow('accounts.top-up-charge', { orderId: order?.id });
  expect(world.sandbox.card.charges().slice(before)).toMatchObject([{ amount: 1_500, paid: true }]);
  expect(await allowed(bea)).toEqual([10_000, 10_000, 2_500]);
  expect(codeOf(await place(bea, await offerOf(bea), 'one-and-the-same'))).toBe('idempotency_conflict');
  expect(codeOf(await place(bea, offer))).toBe('offer_ordered');
});

test('however many come at once, the ceiling holds to the cent, and the next month begins anew', async () => {
  const cem = await buyer('cem', 7_500);
  await credit(cem, 100_000);
  const offers = await Promise.all(Array.from({ length: 9 }, () => offerOf(cem)));
  const codes = (await Promise.all(offers.map((offer) => place(cem, offer)))).map((answer) => codeOf(answer) ?? 'placed');
  expect(codes.toSorted()).toEqual([...Array.from({ length: 6 }, () => 'key_ceiling_reached'), 'placed', 'placed', 'placed']);
  expect(await allowed(cem)).toEqual([7_500, 7_500, 7_500]);
  expect(await world.balance(cem.person)).toBe(92_500);
  const refused = await place(cem, await offerOf(cem, 1));
  expect(refused.errors?.[0]?.message).toContain('in this month 0.00 USD of 75.00 USD are left');
  world.clock.advance(31 * DAY);
  expect((await ordered(cem)).status).toBe('PAID');
  expect(await allowed(cem)).toEqual([7_500, 7_500, 2_500]);
});

test('a declined card ends the order with a mail, and what it was for can be ordered again', async () => {
  const dia = await buyer('dia', 2_500);
  expect(codeOf(await place(dia, await offerOf(dia)))).toBe('action_not_allowed');
  await saveCard(dia, '4000000000000341');
  expect(await ordered(dia)).toMatchObject({ status: 'PENDING', total: { amountMinor: 2_500 } });
  expect(codeOf(await place(dia, await offerOf(dia)))).toBe('key_ceiling_reached');
  await rest();
  expect(await ordersOf(dia)).toMatchObject([{ status: 'CANCELLED' }]);
  const told = (await world.mailed(dia.person.email)).filter(({ subject }) => subject === 'Not paid, and not ordered: Premium, 5 GB');
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('25.00 USD')]);
  expect(told[0]?.text).toContain('Your card was declined');
  expect(world.sandbox.card.invoices().filter(({ status }) => status === 'open')).toEqual([]);
  expect(await allowed(dia)).toEqual([2_500, 2_500, 0]);
  await credit(dia, 2_500);
  expect((await ordered(dia)).status).toBe('PAID');
});

test('what needs stock is charged once its seller holds it, and costs nothing when there is none', async () => {
  const fay = await buyer('fay', 10_000);
  await saveCard(fay);
  const before = world.sandbox.card.charges().length;
  const answered = async (stock: 'held' | 'refused') => {
    const offer = world.offer(fay.person.id, { seller: 'static', holdsStock: true });
    const placing = place(fay, offer);
    const known = (await ordersOf(fay)).length;
    while ((await ordersOf(fay)).length === known) await new Promise(setImmediate);
    const orderId = (await ordersOf(fay)).at(-1)?.id ?? '';
    expect(world.sandbox.card.charges()).toHaveLength(before);
    const about = { at: world.clock.now(), accountId: null, subject: orderId };
    const { em } = world.context();
    if (stock === 'refused')
      await appendEvents(em, { type: 'static_stock.refused', ...about, data: { orderId, code: 'out_of_stock', reason: 'None is left.' } });
    else
      await appendEvents(em, {
        type: 'static_stock.held',
        ...about,
        data: { orderId, until: after(world.clock.now(), MINUTE).toISOString() },
      });
    await rest();
    return placing;
  };
  expect(codeOf(await answered('refused'))).toBe('out_of_stock');
  await rest();
  expect([await allowed(fay), world.sandbox.card.charges().length]).toEqual([[10_000, 10_000, 0], before]);
  expect(codeOf(await answered('held'))).toBeUndefined();
  await rest();
  expect((await ordersOf(fay)).map(({ status }) => status)).toEqual(['CANCELLED', 'PAID']);
  expect(world.sandbox.card.charges().slice(before)).toMatchObject([{ paid: true }]);
});

test('support alone grants, the owner lowers and switches off, and nobody else does either', async () => {
  const eve = await buyer('eve', 0);
  await credit(eve, 10_000);
  expect(codeOf(await place(eve, await offerOf(eve)))).toBe('key_ceiling_reached');
  const lower = async (minor: number, by: Viewer = eve.person.viewer) => codeOf(await world.ask(by, LOWER, { id: eve.keyId, minor }));
  expect(await lower(1)).toBe('parameter_invalid');
  for (const by of [eve.person.viewer, eve.key])
    expect(codeOf(await world.ask(by, GRANT, { id: eve.keyId, minor: 5_000 }))).toBe('forbidden');
  for (const minor of [-1, 10_000_001]) expect(codeOf(await world.ask(desk, GRANT, { id: eve.keyId, minor }))).toBe('parameter_invalid');
  expect(codeOf(await world.ask(desk, GRANT, { id: eve.keyId, minor: 5_000 }))).toBeUndefined();
  const stranger = await world.account('stranger@example.com');
  expect([await lower(2_500), await lower(0, stranger.viewer), await lower(0, eve.key), await lower(5_001)]).toEqual([
    undefined,
    'key_not_found',
    'forbidden',
    'parameter_invalid',
  ]);
  expect((await ordered(eve)).status).toBe('PAID');
  expect(codeOf(await place(eve, await offerOf(eve)))).toBe('key_ceiling_reached');
  expect(await lower(0)).toBeUndefined();
  const off = await place(eve, await offerOf(eve, 1));
  expect([codeOf(off), off.errors?.[0]?.message]).toEqual(['key_ceiling_reached', expect.stringContaining('may not order')]);
  // A session has orderPlace; another account's offer is no offer.
  expect(codeOf(await world.ask(eve.person.viewer, ORDER, { offer: await offerOf(eve), key: world.newKey() }))).toBe('forbidden');
  const other = await buyer('other', 5_000);
  expect(codeOf(await place(other, await offerOf(eve)))).toBe('offer_invalid');
});
