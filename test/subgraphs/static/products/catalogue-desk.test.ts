// The catalogue of static products at the desk: changes hold for new plans, and running plans keep their price.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverPlan } from '../../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { type StaticWorld, startStatic } from '../world.ts';

let world: StaticWorld;
beforeAll(async () => {
  world = await startStatic();
});
afterAll(() => world.close());

const ask = async (viewer: ReturnType<typeof sessionOf>, query: string, variables: Record<string, unknown> = {}) => {
  const { data, errors } = await world.ask(viewer, query, variables);
  return { data: data as any, code: errors?.[0]?.extensions['code'] };
};
const set = (field: string, value: string, id = 'isp-northline') =>
  ask(
    sessionOf('acct_desk', true),
    'mutation ($item: String!, $field: String!, $value: String!) { supportStaticCatalogueSet(item: $item, field: $field, value: $value, reason: "a test") { value } }',
    { item: `static.${id}`, field, value },
  );
const MAKE = 'mutation ($id: ID!) { staticOfferMake(productId: $id, quantity: 2) { token title subtotal { amountMinor } } }';
const make = (accountId: string, id = 'isp-northline') => ask(sessionOf(accountId), MAKE, { id });

test('a new price applies to new plans; a running plan grows and renews at its own price', async () => {
  await world.stock('isp-northline', 20, '10.7');
  const { staticOfferMake: before } = (await make('acct_1')).data;
  expect(before).toMatchObject({ title: 'ISP Northline, 2 addresses', subtotal: { amountMinor: 480 } });
  const orderId = await world.order('order.placed', before.token, 'acct_1', 'ord_grows');
  await world.order('order.paid', before.token, 'acct_1', 'ord_grows');
  expect((await set('price', '3.00')).data.supportStaticCatalogueSet.value).toBe('3.00');
  await set('carrier', 'Fiberco');
  expect((await make('acct_2')).data.staticOfferMake).toMatchObject({
    title: 'ISP Fiberco, 2 addresses',
    subtotal: { amountMinor: 600 },
  });
  const own = await ask(sessionOf('acct_1'), '{ staticPlans { items { id } } }');
  const [{ id }] = own.data.staticPlans.items;
  await deliverPlan(world.context(), id);
  const more = 'mutation ($id: ID!) { staticPlanOfferMore(id: $id, quantity: 1) { token } }';
  const { token } = (await ask(sessionOf('acct_1'), more, { id })).data.staticPlanOfferMore;
  const { lines, subscription } = world.open(token, 'acct_1');
  expect([orderId, lines[0]?.amountMinor, subscription?.lines[0]?.amountMinor]).toEqual([orderId, 240, 720]);
});

test('a product no longer sold is neither offered nor shown; support may still offer it', async () => {
  await set('sold', 'false', 'datacenter');
  expect((await make('acct_3', 'datacenter')).code).toBe('not_sold');
  const { data } = await ask(sessionOf('acct_3'), '{ staticProducts { id } }');
  expect(data.staticProducts.map(({ id }: { id: string }) => id)).toEqual(['isp-northline', 'isp-meridian', 'isp-bluewire', 'isp-cascade']);
  const agreed = await ask(
    sessionOf('acct_desk', true),
    'mutation { supportStaticOffer(accountId: "acct_3", productId: "datacenter", quantity: 3, perAddressMinor: 100, validDays: 3) { total { amountMinor } } }',
  );
  expect(agreed.data.supportStaticOffer.total.amountMinor).toBe(300);
});
