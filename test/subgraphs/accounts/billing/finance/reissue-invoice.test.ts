// An invoice that names a wrong buyer is cancelled and issued again, without moving any money.
import { expect, test } from 'vitest';
import { codeOf, dataOf } from '../../world.ts';
import { startBilling } from '../world.ts';
import { expectInvariants } from '../invariants.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startBilling());

const REISSUE = `mutation ($id: ID!, $reason: String!) { supportInvoiceReissue(id: $id, reason: $reason) {
  id number total { amountMinor } due { amountMinor } buyer { name } replaces { number } lines { label amount { amountMinor } } } }`;
const INVOICES = '{ me { invoices { id number kind total { amountMinor } due { amountMinor } corrects { number } } } }';
const DETAILS = 'mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { name } }';
const taxed = { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 };

interface InvoiceAnswer {
  id: string;
  number: string;
  kind: string;
}
const invoicesOf = async (viewer: Parameters<typeof world.ask>[0]) =>
  dataOf<{ invoices: InvoiceAnswer[] }>(await world.ask(viewer, INVOICES), 'me').invoices;
const reissue = (id: string, viewer = desk.viewer) => world.ask(viewer, REISSUE, { id, reason: 'Wrong company' });

async function customer(email: string) {
  const person = await world.account(email);
  const order = await world.buy(person, taxed);
  const [invoice] = await invoicesOf(person.viewer);
  if (!invoice) throw new Error('no invoice');
  dataOf(
    await world.ask(person.viewer, DETAILS, { input: { name: 'Right Ltd', address: ['2 Road'], country: 'DE' } }),
    'billingDetailsSet',
  );
  return { person, order, invoice };
}

test('the invoice is cancelled by a note and stands anew with the buyer of today; the books have not moved', async () => {
  const { person, invoice } = await customer('ada@example.com');
  const before = await world.books();
  expect(dataOf(await reissue(invoice.id), 'supportInvoiceReissue')).toMatchObject({
    number: 'INV-2026-000002',
    total: { amountMinor: 2_975 },
    due: { amountMinor: 0 },
    buyer: { name: 'Right Ltd' },
    replaces: { number: 'INV-2026-000001' },
  });
  expect(await invoicesOf(person.viewer)).toMatchObject([
    { number: 'INV-2026-000002', kind: 'INVOICE' },
    { number: 'INV-2026-000001', kind: 'INVOICE' },
    { number: 'CN-2026-000001', kind: 'CREDIT_NOTE', due: { amountMinor: 0 }, corrects: { number: 'INV-2026-000001' } },
  ]);
  expect(await world.books()).toEqual(before);
  await expectInvariants(world, 'after an invoice was issued anew');
});

test('what was given back before stands as a line, and what is left can be given back once more and no further', async () => {
  const { order, invoice } = await customer('bo@example.com');
  dataOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', amountMinor: 1_190 }), 'supportOrderRefund');
  const renewed = dataOf<{ id: string; total: object; due: object; lines: object[] }>(await reissue(invoice.id), 'supportInvoiceReissue');
  expect(renewed).toMatchObject({ total: { amountMinor: 1_785 }, due: { amountMinor: 0 } });
  expect(renewed.lines.at(-1)).toEqual({ label: expect.stringMatching(/^Given back by CN-/), amount: { amountMinor: -1_000 } });
  expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', amountMinor: 1_786 }))).toBe(
    'parameter_invalid',
  );
  dataOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' }), 'supportOrderRefund');
  expect(codeOf(await reissue(renewed.id))).toBe('action_not_allowed');
  await world.settle();
  await expectInvariants(world, 'after what was issued anew was given back');
});

test('one that was issued anew, a credit note and an unknown one are not issued anew; two at once make one', async () => {
  const { person, invoice } = await customer('cy@example.com');
  const answers = await Promise.all([reissue(invoice.id), reissue(invoice.id)]);
  expect(answers.map(codeOf).toSorted()).toEqual(['action_not_allowed', undefined].toSorted());
  const note = (await invoicesOf(person.viewer)).find(({ kind }) => kind === 'CREDIT_NOTE');
  expect(codeOf(await reissue(note?.id ?? ''))).toBe('action_not_allowed');
  expect(codeOf(await reissue('inv_00000000000000000000000000'))).toBe('invoice_not_found');
  expect(codeOf(await reissue(invoice.id, person.viewer))).toBe('forbidden');
});

test('a buyer who is in another country now keeps the invoice, and a credit note of it names the country where its tax is given back', async () => {
  const person = await world.account('dee@example.com');
  await world.moveTo(person, 'FR');
  const order = await world.buy(person, taxed);
  await world.moveTo(person, 'US');
  const [invoice] = await invoicesOf(person.viewer);
  expect(codeOf(await reissue(invoice?.id ?? ''))).toBe('action_not_allowed');
  dataOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' }), 'supportOrderRefund');
  const seen = await world.ask(person.viewer, '{ me { invoices { kind buyer { country } } } }');
  const { invoices } = dataOf<{ invoices: { kind: string; buyer: { country: string } }[] }>(seen, 'me');
  expect(invoices.map(({ kind, buyer }) => [kind, buyer.country]).toSorted()).toEqual([
    ['CREDIT_NOTE', 'FR'],
    ['INVOICE', 'FR'],
  ]);
  await expectInvariants(world, 'after a buyer who has moved was refunded');
});
