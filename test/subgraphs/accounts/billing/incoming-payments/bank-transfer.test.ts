import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { TRANSFER_VALID_MS } from '../../../../../subgraphs/accounts/billing/payments/providers/bank-transfer/bank-transfer.ts';
import { documentOf } from '../../../../../subgraphs/accounts/billing/invoices/services/invoice-document.ts';
import { codeOf, dataOf } from '../../world.ts';
import { type Person, startBilling } from '../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { eventsOf } from '../../../../kit/tables.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling({ SUPPORT_EMAIL: 'support@egress.test' }));

const priced = (totalMinor: number) => ({
  title: 'Premium, 200 GB',
  lines: [{ label: 'Premium, 200 GB', quantity: 200, amountMinor: totalMinor }],
  subtotalMinor: totalMinor,
  totalMinor,
});
const PLACE = placeOrder('id status checkoutUrl method total { amountMinor }', 'BANK_TRANSFER');
const place = ({ id, viewer }: Person, totalMinor = 80_000) =>
  world.ask(viewer, PLACE, { offer: world.offer(id, priced(totalMinor)), key: world.newKey() });
const placed = async (person: Person, totalMinor?: number) => dataOf<{ id: string }>(await place(person, totalMinor), 'orderPlace').id;
let transfers = 0;
const confirm = (orderId: string, amountMinor: number, more: { bankReference?: string; idempotencyKey?: string } = {}, by = desk.viewer) =>
  world.ask(by, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id status } }', {
    input: { orderId, amountMinor, bankReference: `transfer ${++transfers}`, idempotencyKey: world.newKey(), ...more },
  });
const paperOf = async (id: string) => {
  const { pdf } = await documentOf(world.context(), { id });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
};
const statusOf = async ({ viewer }: Person, id: string) =>
  dataOf<{ status: string }>(await world.ask(viewer, 'query ($id: ID!) { order(id: $id) { status } }', { id }), 'order').status;

test('an order by transfer waits, support hears its reference and amount, and what support confirms is delivered and invoiced', async () => {
  const ada = await world.account('ada@example.com');
  const order = dataOf<{ id: string }>(await place(ada), 'orderPlace');
  expect(order).toMatchObject({ status: 'PENDING', method: 'BANK_TRANSFER', checkoutUrl: null, total: { amountMinor: 80_000 } });
  const [mail] = await world.mailed('support@egress.test');
  expect(mail?.subject).toBe('A bank transfer of 800.00 USD is asked for by ada@example.com');
  expect(mail?.text).toContain(order.id);
  world.clock.advance(5 * DAY);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await statusOf(ada, order.id)).toBe('PENDING');
  expect(dataOf(await confirm(order.id, 80_000), 'supportTransferConfirm')).toMatchObject({ status: 'PAID' });
  expect(await world.books(order.id)).toEqual({ BANK: 80_000, REVENUE: -80_000 });
  expect(await eventsOf(world.query, order.id, 'order.paid')).toHaveLength(1);
  const { payments, invoices } = dataOf<{ payments: object[]; invoices: object[] }>(
    await world.ask(ada.viewer, 'query ($id: ID!) { order(id: $id) { payments { method } invoices { due { amountMinor } } } }', {
      id: order.id,
    }),
    'order',
  );
  expect(payments).toEqual([{ method: 'BANK_TRANSFER' }]);
  expect(invoices).toEqual([{ due: { amountMinor: 0 } }]);
});

test('below 500 USD it is refused, with the reason', async () => {
  const ben = await world.account('ben@example.com');
  const refused = await place(ben, 49_999);
  expect(codeOf(refused)).toBe('bank_transfer_too_small');
  expect(refused.errors?.[0]?.message).toBe('A bank transfer is possible from 500.00 USD; this costs 499.99 USD.');
  expect(codeOf(await place(ben, 50_000))).toBeUndefined();
});

test('too much pays the order, and the rest becomes credit', async () => {
  const cleo = await world.account('cleo@example.com');
  const id = await placed(cleo);
  await confirm(id, 81_500);
  expect(await statusOf(cleo, id)).toBe('PAID');
  expect(await world.balance(cleo)).toBe(1_500);
  expect((await world.mailed('cleo@example.com')).map(({ subject }) => subject)).toContain(
    '15.00 USD of your bank transfer is account credit',
  );
});

test('too little waits with its order for the rest; what comes when the order is over becomes credit whole', async () => {
  const dan = await world.account('dan@example.com');
  const id = await placed(dan);
  await confirm(id, 78_500);
  expect(await statusOf(dan, id)).toBe('PENDING');
  expect(await world.balance(dan)).toBe(0);
  expect((await world.mailed('dan@example.com')).at(-1)?.subject).toBe('15.00 USD left to pay: Premium, 200 GB');
  world.clock.advance(TRANSFER_VALID_MS);
  await world.platform.queue.runNow('accounts.orders-reconcile');
  expect(await statusOf(dan, id)).toBe('EXPIRED');
  expect(await world.balance(dan)).toBe(78_500);
  await confirm(id, 80_000);
  expect(await statusOf(dan, id)).toBe('EXPIRED');
  expect(await world.balance(dan)).toBe(158_500);
});

test('the parts of a transfer for one order add up, whatever their sizes, and pay it when they are all of it', async () => {
  const pia = await world.account('pia@example.com');
  const id = await placed(pia, 60_000);
  await confirm(id, 50_000);
  await confirm(id, 9_950 - 60);
  expect(await statusOf(pia, id)).toBe('PENDING');
  await confirm(id, 200);
  expect(await statusOf(pia, id)).toBe('PAID');
  expect(await world.balance(pia)).toBe(90);
  expect((await world.books())['REVENUE']).toBeLessThan(0);
});

test('what a bank keeps on the way is let go up to the smaller bound, and stands in a ledger of its own', async () => {
  const quin = await world.account('quin@example.com');
  const one = await placed(quin, 80_000);
  await confirm(one, 79_900);
  expect(await statusOf(quin, one)).toBe('PAID');
  expect(await world.books(one)).toEqual({ BANK: 79_900, REVENUE: -80_000, SHORTFALL: 100 });
  const { payments, invoices } = dataOf<{ payments: object[]; invoices: { id: string }[] }>(
    await world.ask(
      quin.viewer,
      'query ($id: ID!) { order(id: $id) { payments { amount { amountMinor } } invoices { id paid { amountMinor } letGo { amountMinor } due { amountMinor } } } }',
      { id: one },
    ),
    'order',
  );
  const settled = { paid: { amountMinor: 79_900 }, letGo: { amountMinor: 100 }, due: { amountMinor: 0 } };
  expect({ payments, invoices }).toMatchObject({ payments: [{ amount: { amountMinor: 79_900 } }], invoices: [settled] });
  const paper = await paperOf(invoices[0]?.id ?? '');
  expect(paper).toMatch(/Paid by bank transfer on \S+ 799\.00 USD Kept by a bank on the way, and let go 1\.00 USD Amount due 0\.00 USD/);
  const two = await placed(quin, 80_000);
  await confirm(two, 79_899);
  expect(await statusOf(quin, two)).toBe('PENDING');
});

test('one transfer counts once, whoever confirms it and however often', async () => {
  const eva = await world.account('eva@example.com');
  const id = await placed(eva);
  const other = await placed(eva);
  const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(id, 80_000, { bankReference: 'SEPA 77' })));
  expect(answers.map(codeOf).filter((code) => code === undefined)).toHaveLength(1);
  expect(codeOf(await confirm(other, 80_000, { bankReference: 'SEPA 77' }))).toBe('action_not_allowed');
  expect(await statusOf(eva, other)).toBe('PENDING');
  expect(await world.balance(eva)).toBe(0);
  const key = { bankReference: 'SEPA 78', idempotencyKey: 'confirm-once-78' };
  expect(await confirm(other, 80_000, key)).toEqual(await confirm(other, 80_000, key));
});

test('the credit that a cancelled order by transfer holds comes back within the minute', async () => {
  const fay = await world.account('fay@example.com');
  await world.grant(fay.id, 900, desk.viewer);
  const id = await placed(fay);
  expect(await world.balance(fay)).toBe(0);
  await world.ask(fay.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { status } }', { id });
  await world.platform.queue.runNow('accounts.orders-close');
  expect(await world.balance(fay)).toBe(900);
});

test('only support confirms, and only what was to be paid that way', async () => {
  const gus = await world.account('gus@example.com');
  const id = await placed(gus);
  expect(codeOf(await confirm(id, 80_000, {}, gus.viewer))).toBe('forbidden');
  expect(codeOf(await confirm('ord_none', 80_000))).toBe('order_not_found');
  expect(codeOf(await confirm((await world.place(gus)).id, 2_500))).toBe('action_not_allowed');
  expect(codeOf(await confirm(id, 0))).toBe('parameter_invalid');
  expect(codeOf(await confirm(id, 80_000, { bankReference: ' ' }))).toBe('parameter_invalid');
  expect(codeOf(await world.refund(desk.viewer, { orderId: id, destination: 'CARD' }))).toBe('action_not_allowed');
});
