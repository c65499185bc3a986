// Where tax is charged, the country must be given before the payment, and an order has the tax rate of the moment at which it is placed.
import { afterAll, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { type OfferTerms, priceOffer, signOffer } from '#commerce/offers.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';

const world = await startBilling({ TAX_RATES: 'DE=19,HU=27,DE=20@2027-01-01', SELLER_COUNTRY: 'DE' });
afterAll(() => world.close());
let people = 0;
const person = () => world.account(`taxed-${++people}@example.com`);

const PLACE = placeOrder('id tax { amountMinor } total { amountMinor }');
const PREVIEW = `query ($offer: String!) { orderPreview(offer: $offer) {
  countryRequired offer { token tax { amountMinor } total { amountMinor } } toPay { amountMinor } } }`;
interface Preview {
  countryRequired: boolean;
  offer: { token: string; tax: { amountMinor: number } };
  toPay: { amountMinor: number };
}
const previewOf = async ({ viewer }: Person, offer: string) => dataOf<Preview>(await world.ask(viewer, PREVIEW, { offer }), 'orderPreview');
const place = ({ viewer }: Person, offer: string, key = world.newKey()) => world.ask(viewer, PLACE, { offer, key });
const invoicesOf = async ({ viewer }: Person) =>
  dataOf<{ invoices: { tax: { amountMinor: number }; taxBasisPoints: number; buyer: { country: string } }[] }>(
    await world.ask(viewer, '{ me { invoices { tax { amountMinor } taxBasisPoints buyer { country } } } }'),
    'me',
  ).invoices;

test('nobody pays before the country is known; then the same offer is sold with its tax', async () => {
  const ada = await person();
  const offer = world.offer(ada.id);
  expect(await previewOf(ada, offer)).toMatchObject({ countryRequired: true, offer: { tax: { amountMinor: 0 } } });
  expect(codeOf(await place(ada, offer))).toBe('billing_country_required');
  await world.moveTo(ada, 'DE');
  // The offer was priced before the country was given: at 0 % it cannot be ordered any more.
  expect(codeOf(await place(ada, offer))).toBe('offer_tax_changed');
  const preview = await previewOf(ada, offer);
  expect(preview).toMatchObject({ countryRequired: false, offer: { tax: { amountMinor: 475 } }, toPay: { amountMinor: 2_975 } });
  const order = dataOf<{ id: string; total: object }>(await place(ada, preview.offer.token), 'orderPlace');
  expect(order.total).toEqual({ amountMinor: 2_975 });
  // Both prices belong to one offer, which can be ordered only once.
  expect(codeOf(await place(ada, offer))).toBe('offer_ordered');
  expect(codeOf(await place(ada, preview.offer.token))).toBe('offer_ordered');
  await world.pay(order.id);
  await world.settle();
  expect(await invoicesOf(ada)).toEqual([{ tax: { amountMinor: 475 }, taxBasisPoints: 1_900, buyer: { country: 'DE' } }]);
});

test('a move between price and order is taxed as the account is then, there and back', async () => {
  const ben = await person();
  await world.moveTo(ben, 'HU');
  const offer = (await previewOf(ben, world.offer(ben.id))).offer.token;
  await world.moveTo(ben, 'US');
  expect(codeOf(await place(ben, offer))).toBe('offer_tax_changed');
  const again = await previewOf(ben, offer);
  expect(again.offer.tax).toEqual({ amountMinor: 0 });
  await world.moveTo(ben, 'HU');
  expect(codeOf(await place(ben, again.offer.token))).toBe('offer_tax_changed');
  expect(dataOf(await place(ben, offer), 'orderPlace')).toMatchObject({ tax: { amountMinor: 675 } });
});

test('another rate from a day on is charged from that day on, also on a price that sales made thirty days before', async () => {
  const cem = await person();
  await world.moveTo(cem, 'DE');
  world.clock.set(new Date('2026-12-20T10:00:00Z'));
  const terms = JSON.parse(Buffer.from(world.offer(cem.id).split('.')[0] ?? '', 'base64url').toString()) as OfferTerms;
  const custom = signOffer({ ...priceOffer(terms, 1_900, world.clock, 30 * DAY), custom: true }, world.platform.secrets.offers);
  expect((await previewOf(cem, custom)).offer.tax).toEqual({ amountMinor: 475 });
  world.clock.set(new Date('2026-12-31T23:59:59Z'));
  expect((await previewOf(cem, custom)).offer.tax).toEqual({ amountMinor: 475 });
  world.clock.set(new Date('2027-01-01T00:00:00Z'));
  expect(codeOf(await place(cem, custom))).toBe('offer_tax_changed');
  const { offer } = await previewOf(cem, custom);
  expect(offer.tax).toEqual({ amountMinor: 500 });
  expect(dataOf(await place(cem, offer.token), 'orderPlace')).toMatchObject({ total: { amountMinor: 3_000 } });
});

test('what costs nothing is ordered without a country', async () => {
  const dan = await person();
  const free = { lines: [], subtotalMinor: 0, taxMinor: 0, totalMinor: 0 };
  expect((await previewOf(dan, world.offer(dan.id, free))).countryRequired).toBe(false);
  expect(codeOf(await place(dan, world.offer(dan.id, free)))).toBeUndefined();
});

test('where nothing is sold with tax nobody is asked where they are', async () => {
  const untaxed = await startBilling({ SELLER_COUNTRY: 'DE' });
  const eva = await untaxed.account('eva@example.com');
  const offer = untaxed.offer(eva.id);
  const preview = dataOf<Preview>(await untaxed.ask(eva.viewer, PREVIEW, { offer }), 'orderPreview');
  expect(preview.countryRequired).toBe(false);
  expect(codeOf(await untaxed.ask(eva.viewer, PLACE, { offer, key: untaxed.newKey() }))).toBeUndefined();
  await untaxed.close();
});
