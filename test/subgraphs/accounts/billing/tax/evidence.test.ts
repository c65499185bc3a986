// Evidence of the buyer's country: it is kept with the order, shown to support, and deleted after ten years.
import { expect, test } from 'vitest';
import { codeOf, dataOf } from '../../world.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions({ TAX_RATES: 'DE=19', SELLER_COUNTRY: 'DE' }));
let people = 0;
const CARDS = { US: '4242424242424242', DE: '4000002760000016' };
const taxed = { taxBasisPoints: 1_900, taxMinor: 475, totalMinor: 2_975 };

async function german() {
  const person = await world.account(`located-${++people}@example.com`);
  await world.moveTo(person, 'DE');
  return person;
}
const RECORD = 'query ($id: ID!) { supportOrder(id: $id) { taxRecord { country contradicted evidence { kind country detail } } } }';
interface TaxRecord {
  country: string;
  contradicted: boolean;
  evidence: { kind: string; country: string | null; detail: string | null }[];
}
const recordOf = async (id: string) =>
  dataOf<{ taxRecord: TaxRecord | null }>(await world.ask(desk.viewer, RECORD, { id }), 'supportOrder').taxRecord;
const flagged = async () =>
  dataOf<{ id: string }[]>(await world.ask(desk.viewer, '{ supportOrders(list: CONTRADICTED) { id } }'), 'supportOrders').map(
    ({ id }) => id,
  );
async function buy(person: Person, card: string) {
  const order = await world.place(person, taxed);
  await world.pay(order.id, card);
  await world.settle();
  return order;
}

test('an order keeps what its buyer says, where it came from, and where the card was issued', async () => {
  const order = await buy(await german(), CARDS.DE);
  expect(await recordOf(order.id)).toEqual({
    country: 'DE',
    contradicted: false,
    evidence: [
      { kind: 'BILLING', country: 'DE', detail: null },
      { kind: 'CLIENT', country: null, detail: '198.51.100.1' },
      { kind: 'MEANS', country: 'DE', detail: null },
    ],
  });
  expect(await flagged()).not.toContain(order.id);
});

test('a card of another country is sold to, and shown to the desk', async () => {
  const order = await buy(await german(), CARDS.US);
  expect(await recordOf(order.id)).toMatchObject({ contradicted: true });
  expect(await flagged()).toContain(order.id);
});

test('what somebody at the desk has looked at leaves the list, with the reason', async () => {
  const owner = await german();
  const order = await buy(owner, CARDS.US);
  const CHECK = `mutation ($id: ID!, $reason: String!) { supportOrderEvidenceCheck(id: $id, reason: $reason) {
    taxRecord { contradicted checkedAt checkReason } } }`;
  const check = (id: string, viewer = desk.viewer, reason = ' A card from home. ') => world.ask(viewer, CHECK, { id, reason });
  expect(codeOf(await check(order.id, owner.viewer))).toBe('forbidden');
  expect(codeOf(await check(order.id, desk.viewer, ' '))).toBe('parameter_invalid');
  expect(dataOf(await check(order.id), 'supportOrderEvidenceCheck')).toEqual({
    taxRecord: { contradicted: true, checkedAt: expect.any(String), checkReason: 'A card from home.' },
  });
  expect(await flagged()).not.toContain(order.id);
  const agreed = await buy(await german(), CARDS.DE);
  expect(codeOf(await check(agreed.id))).toBe('action_not_allowed');
});

test('nobody but staff reads it', async () => {
  const ada = await german();
  const order = await buy(ada, CARDS.DE);
  expect(codeOf(await world.ask(ada.viewer, 'query ($id: ID!) { order(id: $id) { taxRecord { country } } }', { id: order.id }))).toBe(
    'forbidden',
  );
});

test('a renewal has what is said then, and the card of the purchase', async () => {
  const ben = await german();
  const { id } = await world.subscribe(ben, { card: CARDS.DE, taxBasisPoints: 1_900 });
  await world.toPeriodEnd(id);
  const renewal = (await world.orders(id)).at(-1);
  expect((await recordOf(renewal?.id ?? ''))?.evidence).toEqual([
    { kind: 'BILLING', country: 'DE', detail: null },
    { kind: 'MEANS', country: 'DE', detail: null },
  ]);
});

test('it is kept until ten years after the year of the sale are over', async () => {
  const order = await buy(await german(), CARDS.DE);
  const year = world.clock.now().getUTCFullYear();
  world.clock.set(`${year + 10}-12-31T23:59:59Z`);
  await world.platform.queue.runNow('accounts.sweep');
  expect((await recordOf(order.id))?.evidence).toHaveLength(3);
  world.clock.set(`${year + 11}-01-01T00:00:00Z`);
  await world.platform.queue.runNow('accounts.sweep');
  expect(await recordOf(order.id)).toBeNull();
});
