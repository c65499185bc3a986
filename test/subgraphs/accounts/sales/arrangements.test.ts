import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { priceOffer, signOffer } from '#commerce/offers.ts';
import { codeOf, dataOf } from '../world.ts';
import { keyOf } from '../../../kit/platform.ts';
import { type Person, startBilling } from '../billing/world.ts';
import { placeOrder } from '../../../kit/purchase.ts';
import { rowOf, rowsOf } from '../../../kit/tables.ts';
import { withDesk } from '../billing/with-desk.ts';

const { world, desk } = await withDesk(startBilling({ SUPPORT_EMAIL: 'sales@egress.test', BANK_DETAILS: 'Example Bank; IBAN XX00 0000' }));

let offers = 0;
/** A custom offer, as a seller makes it for sales. */
const custom = (accountId: string, { days = 14, isCustom = true } = {}) =>
  signOffer(
    priceOffer(
      {
        id: `off_custom_${++offers}`,
        accountId,
        seller: 'residential',
        title: 'Premium, 20000 GB',
        currency: 'USD',
        lines: [{ label: 'Premium, as agreed', quantity: 20_000, amountMinor: 5_800_000 }],
        fulfil: { product: 'PREMIUM', bytes: '20000000000000' },
        ...(isCustom && { custom: true as const }),
      },
      0,
      world.clock,
      days * DAY,
    ),
    world.platform.secrets.offers,
  );

const SEND = 'mutation ($input: SalesRequestInput!) { salesRequestSend(input: $input) { id status } }';
const send = ({ viewer }: Person, input: object = {}) =>
  world.ask(viewer, SEND, { input: { product: 'Premium', volume: '20 TB a month', message: 'From May on.', ...input } });
const RECORD = `mutation ($id: ID!, $offer: String, $request: ID, $until: DateTime) {
  supportArrangementRecord(accountId: $id, kind: VOLUME, terms: "20 TB at 2.90 USD", offer: $offer, requestId: $request, validUntil: $until) { id }
}`;
const agree = (id: string, more: object = {}, by = desk.viewer) => world.ask(by, RECORD, { id, ...more });
const arrangementsOf = async ({ viewer }: Person) =>
  dataOf<{ arrangements: { id: string; offer: { token: string; total: { amountMinor: number } } | null; orderId: string | null }[] }>(
    await world.ask(viewer, '{ me { arrangements { id orderId offer { token total { amountMinor } } } } }'),
    'me',
  ).arrangements;
const place = ({ viewer }: Person, offer: string, method = 'CARD') =>
  world.ask(viewer, placeOrder('id status transfer { reference bank amount { amountMinor } }', method), { offer, key: world.newKey() });

test('a wish reaches sales, is answered by an arrangement with a price, and is bought like anything else', async () => {
  const ada = await world.account('ada@example.com');
  const wish = dataOf<{ id: string; status: string }>(await send(ada), 'salesRequestSend');
  const [mail] = await world.mailed('sales@egress.test');
  expect(mail?.subject).toBe('ada@example.com asks sales for Premium');
  expect(mail?.text).toContain('20 TB a month');
  const waiting = dataOf<object[]>(
    await world.ask(desk.viewer, '{ supportSalesRequests { id volume account { email } } }'),
    'supportSalesRequests',
  );
  expect(waiting).toEqual([{ id: wish.id, volume: '20 TB a month', account: { email: 'ada@example.com' } }]);
  dataOf(await agree(ada.id, { offer: custom(ada.id), request: wish.id }), 'supportArrangementRecord');
  expect(dataOf(await world.ask(desk.viewer, '{ supportSalesRequests { id } }'), 'supportSalesRequests')).toEqual([]);
  expect((await world.mailed('ada@example.com')).map(({ subject }) => subject)).toEqual([
    'Our offer to you: Premium, 20000 GB for 58000.00 USD',
  ]);
  world.clock.advance(10 * DAY);
  const [arrangement] = await arrangementsOf(ada);
  expect(arrangement?.offer?.total.amountMinor).toBe(5_800_000);
  const order = dataOf<{ id: string }>(await place(ada, arrangement?.offer?.token ?? ''), 'orderPlace');
  await world.pay(order.id);
  await world.settle();
  const paid = await rowsOf<{ data: { fulfil: object } }>(
    world.query,
    'platform.event',
    { type: 'order.paid', subject: order.id },
    { columns: 'data' },
  );
  expect(paid.map(({ data }) => data.fulfil)).toEqual([{ product: 'PREMIUM', bytes: '20000000000000' }]);
  expect(await arrangementsOf(ada)).toEqual([{ id: arrangement?.id, orderId: order.id, offer: null }]);
  expect(codeOf(await place(ada, arrangement?.offer?.token ?? ''))).toBe('offer_ordered');
});

test('a price is only shown while it stands: not once it has expired, nor once the arrangement has ended or run out', async () => {
  const ben = await world.account('ben@example.com');
  const ids = await Promise.all(
    [
      { offer: custom(ben.id, { days: 2 }) },
      { offer: custom(ben.id) },
      { offer: custom(ben.id), until: new Date(world.clock.now().getTime() + DAY).toISOString() },
    ].map(async (more) => dataOf<{ id: string }>(await agree(ben.id, more), 'supportArrangementRecord').id),
  );
  const standing = async () => (await arrangementsOf(ben)).filter(({ offer }) => offer).map(({ id }) => id);
  expect((await standing()).toSorted()).toEqual(ids.toSorted());
  world.clock.advance(DAY);
  expect((await standing()).toSorted()).toEqual(ids.slice(0, 2).toSorted());
  world.clock.advance(DAY);
  expect(await standing()).toEqual([ids[1]]);
  await world.ask(desk.viewer, 'mutation ($id: ID!) { supportArrangementEnd(id: $id) { id } }', { id: ids[1] });
  expect(await standing()).toEqual([]);
});

test('an arrangement takes no price of the catalogue, of another account, that is forged or expired, or twice the same', async () => {
  const cleo = await world.account('cleo@example.com');
  const other = await world.account('other@example.com');
  expect(codeOf(await agree(cleo.id, { offer: custom(cleo.id, { isCustom: false }) }))).toBe('offer_invalid');
  expect(codeOf(await agree(cleo.id, { offer: custom(other.id) }))).toBe('offer_invalid');
  expect(codeOf(await agree(cleo.id, { offer: `${custom(cleo.id)}x` }))).toBe('offer_invalid');
  expect(codeOf(await agree(cleo.id, { offer: custom(cleo.id, { days: 0 }) }))).toBe('offer_expired');
  const offer = custom(cleo.id);
  expect(codeOf(await agree(cleo.id, { offer }))).toBeUndefined();
  expect(codeOf(await agree(cleo.id, { offer }))).toBe('offer_invalid');
  const wish = dataOf<{ id: string }>(await send(other), 'salesRequestSend');
  expect(codeOf(await agree(cleo.id, { request: wish.id }))).toBe('request_not_found');
  expect(await arrangementsOf(cleo)).toHaveLength(1);
});

test('wishes are checked and few at once; support closes what it will not meet', async () => {
  const dan = await world.account('dan@example.com');
  for (const input of [{ product: ' ' }, { volume: 'x'.repeat(101) }, { message: 'x'.repeat(4_001) }])
    expect(codeOf(await send(dan, input))).toBe('parameter_invalid');
  const sent = [];
  for (let count = 0; count < 5; count++) sent.push(dataOf<{ id: string }>(await send(dan), 'salesRequestSend').id);
  expect(codeOf(await send(dan))).toBe('too_many_attempts');
  const close = (id?: string) => world.ask(desk.viewer, 'mutation ($id: ID!) { supportSalesRequestClose(id: $id) { status } }', { id });
  expect(await close(sent[0])).toEqual({ data: { supportSalesRequestClose: { status: 'CLOSED' } } });
  expect(codeOf(await close(sent[0]))).toBe('request_not_found');
  expect(codeOf(await send(dan))).toBeUndefined();
});

const PREVIEW = `query ($offer: String!) { orderPreview(offer: $offer) {
  offer { title total { amountMinor } } credit { amountMinor } toPay { amountMinor } methods { method allowed reason } } }`;

test('a preview is what ordering comes to: price, credit, rest, and each way to pay with its reason', async () => {
  const eva = await world.account('eva@example.com');
  await world.grant(eva.id, 1_000, desk.viewer);
  const offer = world.offer(eva.id);
  expect(dataOf(await world.ask(eva.viewer, PREVIEW, { offer }), 'orderPreview')).toEqual({
    offer: { title: 'Premium, 5 GB', total: { amountMinor: 2_500 } },
    credit: { amountMinor: 1_000 },
    toPay: { amountMinor: 1_500 },
    methods: [
      { method: 'CARD', allowed: true, reason: null },
      { method: 'PAYPAL', allowed: true, reason: null },
      { method: 'CRYPTO', allowed: true, reason: null },
      { method: 'BANK_TRANSFER', allowed: false, reason: 'A bank transfer is possible from 500.00 USD; this costs 25.00 USD.' },
    ],
  });
  const order = dataOf<{ id: string }>(await place(eva, offer), 'orderPlace');
  const row = await rowOf<{ total_minor: string }>(world.query, 'accounts.customer_order', { id: order.id });
  expect(Number(row?.total_minor)).toBe(1_500);
  expect(codeOf(await world.ask(eva.viewer, PREVIEW, { offer }))).toBe('offer_ordered');
  expect(codeOf(await world.ask(eva.viewer, PREVIEW, { offer: world.offer(desk.id) }))).toBe('offer_invalid');
});

test('an order by transfer tells its buyer where to, on its page and by mail, and stands in support’s list until it is confirmed', async () => {
  const fay = await world.account('fay@example.com');
  const offer = custom(fay.id);
  const order = dataOf<{ id: string; transfer: object }>(await place(fay, offer, 'BANK_TRANSFER'), 'orderPlace');
  expect(order.transfer).toEqual({ reference: order.id, bank: ['Example Bank', 'IBAN XX00 0000'], amount: { amountMinor: 5_800_000 } });
  const [mail] = await world.mailed('fay@example.com');
  expect(mail?.subject).toBe('How to transfer 58000.00 USD for Premium, 20000 GB');
  expect(mail?.text).toContain(order.id);
  expect(mail?.text).toContain('Example Bank, IBAN XX00 0000');
  const list = (name: string) => world.ask(desk.viewer, `{ supportOrders(list: ${name}) { id account { email } } }`);
  expect(dataOf(await list('TRANSFERS'), 'supportOrders')).toEqual([{ id: order.id, account: { email: 'fay@example.com' } }]);
  await world.ask(desk.viewer, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id } }', {
    input: { orderId: order.id, amountMinor: 5_800_000, bankReference: 'SEPA 1', idempotencyKey: world.newKey() },
  });
  expect(dataOf(await list('TRANSFERS'), 'supportOrders')).toEqual([]);
  const stuck = async () => dataOf<{ id: string }[]>(await list('STUCK'), 'supportOrders').map(({ id }) => id);
  expect(await stuck()).not.toContain(order.id);
  world.clock.advance(11 * 60_000);
  expect(await stuck()).toContain(order.id);
  expect(
    dataOf(await world.ask(desk.viewer, 'query ($id: ID!) { supportOrder(id: $id) { id } }', { id: order.id }), 'supportOrder'),
  ).toEqual({ id: order.id });
  const WHOSE = 'query ($id: ID!) { order(id: $id) { account { email } } }';
  expect(dataOf(await world.ask(fay.viewer, WHOSE, { id: order.id }), 'order')).toEqual({ account: { email: 'fay@example.com' } });
  expect(codeOf(await world.ask(keyOf(fay.id, ['billing']), WHOSE, { id: order.id }))).toBe('forbidden');
});

test('coins that are seen and not confirmed stand in support’s list', async () => {
  const gil = await world.account('gil@example.com');
  const order = dataOf<{ id: string }>(await place(gil, world.offer(gil.id), 'CRYPTO'), 'orderPlace');
  const list = async () =>
    dataOf<{ id: string }[]>(await world.ask(desk.viewer, '{ supportOrders(list: COINS) { id } }'), 'supportOrders').map(({ id }) => id);
  expect(await list()).toEqual([]);
  world.sandbox.crypto.pay(await world.checkoutOf(order.id));
  await world.settle();
  expect(await list()).toEqual([order.id]);
});
