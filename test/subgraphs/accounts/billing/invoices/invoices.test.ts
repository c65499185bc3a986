import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#platform/database.ts';
import { codeOf, dataOf } from '../../world.ts';
import { unitPriceOf } from '../../../../../subgraphs/accounts/billing/invoices/domain/invoice.ts';
import { nextNumber } from '../../../../../subgraphs/accounts/billing/invoices/entities/invoice.ts';
import { Order } from '../../../../../subgraphs/accounts/billing/orders/entities/order.ts';
import { documentOf } from '../../../../../subgraphs/accounts/billing/invoices/services/invoice-document.ts';
import { invoiceOrder } from '../../../../../subgraphs/accounts/billing/invoices/services/issue-invoice.ts';
import { type BillingWorld, startBilling } from '../world.ts';
import { writeInvoiceAgain } from '../../../../kit/invoice-rows.ts';
import { rowsOf, setRows } from '../../../../kit/tables.ts';

let world: BillingWorld;
beforeAll(async () => {
  world = await startBilling({
    SELLER_NAME: 'Kupfer Netze GmbH',
    SELLER_ADDRESS: 'Gartenweg 7; 10115 Berlin',
    SELLER_COUNTRY: 'DE',
    SELLER_TAX_ID: 'DE123456788',
  });
});
afterAll(() => world.close());

const INVOICES = `{ me { invoices { id number kind paid { amountMinor } due { amountMinor } total { amountMinor } tax { amountMinor } taxBasisPoints
  seller { name taxId } buyer { name address country taxId } downloadPath orderId } } }`;
const DETAILS = `mutation ($input: BillingDetailsInput!) { billingDetailsSet(input: $input) { name address country taxId } }`;
const lodz = { name: 'Łódzka Spółka Ściąga', address: ['ul. Żółwia 5', '90-001 Łódź'], country: 'pl', taxId: 'PL 5260001246' };
const taxed = { taxMinor: 475, taxBasisPoints: 1_900, totalMinor: 2_975 };

interface InvoiceAnswer {
  id: string;
  number: string;
  kind: string;
  downloadPath: string;
  buyer: { name: string };
}
const invoicesOf = async (viewer: Parameters<BillingWorld['ask']>[0]) =>
  dataOf<{ invoices: InvoiceAnswer[] }>(await world.ask(viewer, INVOICES), 'me').invoices;

const numbersOf = async (series: string) =>
  (await rowsOf<{ number: number }>(world.query, 'accounts.invoice', { series }, { orderBy: 'number' })).map(({ number }) => number);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a paid order has its invoice, with both parties, the tax and nothing due', async () => {
  const ewa = await world.account('ewa@example.com');
  expect(dataOf(await world.ask(ewa.viewer, DETAILS, { input: lodz }), 'billingDetailsSet')).toEqual({ ...lodz, country: 'PL' });
  const order = await world.place(ewa, taxed);
  expect(await invoicesOf(ewa.viewer)).toEqual([]);
  await world.pay(order.id);
  await world.settle();
  expect(await invoicesOf(ewa.viewer)).toEqual([
    {
      id: expect.stringMatching(/^inv_/),
      number: 'INV-2026-000001',
      kind: 'INVOICE',
      paid: { amountMinor: 2_975 },
      due: { amountMinor: 0 },
      total: { amountMinor: 2_975 },
      tax: { amountMinor: 475 },
      taxBasisPoints: 1_900,
      seller: { name: 'Kupfer Netze GmbH', taxId: 'DE123456788' },
      buyer: { ...lodz, country: 'PL' },
      downloadPath: expect.stringMatching(/^\/invoices\/inv_\w+\.pdf$/),
      orderId: order.id,
    },
  ]);
});

test('an invoice keeps the buyer of its day, and a buyer without details is their address', async () => {
  const fay = await world.account('fay@example.com');
  await world.buy(fay);
  await world.ask(fay.viewer, DETAILS, { input: lodz });
  await world.buy(fay);
  expect((await invoicesOf(fay.viewer)).map(({ buyer }) => buyer.name)).toEqual([lodz.name, 'fay@example.com']);
});

test('billing details that no invoice could carry are refused', async () => {
  const { viewer } = await world.account('gus@example.com');
  for (const wrong of [
    { name: ' ' },
    { address: [] },
    { address: Array(5).fill('x') },
    { country: 'XX' },
    { taxId: '<b>' },
    { name: 'x'.repeat(101) },
  ])
    expect(codeOf(await world.ask(viewer, DETAILS, { input: { ...lodz, ...wrong } }))).toBe('parameter_invalid');
});

test("another account's invoice is not found, and a key needs the scope", async () => {
  const hal = await world.account('hal@example.com');
  const ida = await world.account('ida@example.com');
  await world.buy(hal);
  const [invoice] = await invoicesOf(hal.viewer);
  const ask = async (viewer: Parameters<BillingWorld['ask']>[0]) =>
    world.ask(viewer, 'query ($id: ID!) { invoice(id: $id) { number } }', { id: invoice?.id });
  expect((await ask(hal.viewer)).data?.['invoice']).toEqual({ number: invoice?.number });
  expect((await ask(ida.viewer)).data?.['invoice']).toBeNull();
  const key = { kind: 'key', accountId: hal.id, keyId: 'key_1', address: '198.51.100.9', requestId: 'req_1' } as const;
  expect(codeOf(await ask({ ...key, scopes: ['read', 'generate'] }))).toBe('forbidden');
  expect((await ask({ ...key, scopes: ['billing'] })).data?.['invoice']).toEqual({ number: invoice?.number });
  await expect(documentOf(world.context(), { id: invoice?.id ?? '', accountId: ida.id })).rejects.toMatchObject({
    code: 'invoice_not_found',
  });
});

test('numbers have no gap under forty transactions at once of which every third fails', async () => {
  const jon = await world.account('jon@example.com');
  const before = (await numbersOf('INV-2026')).length;
  const orders: { id: string }[] = [];
  while (orders.length < 40) {
    orders.push(await world.place(jon));
    // An account may have three unpaid orders at once, so this one is cancelled.
    await setRows(world.query, 'accounts.customer_order', { status: 'CANCELLED' }, { status: 'PENDING' });
  }
  const outcomes = await Promise.allSettled(
    orders.map(({ id }, index) =>
      inTransaction(world.context(), async (tx) => {
        await invoiceOrder(tx, await tx.em.findOneOrFail(Order, { id }), [], null);
        if (index % 3 === 0) throw new Error('given up after the number was taken');
      }),
    ),
  );
  const issued = outcomes.filter(({ status }) => status === 'fulfilled').length;
  expect(issued).toBe(26);
  expect(await numbersOf('INV-2026')).toEqual(upTo(before + issued));
});

test('the database refuses a number that would leave a gap, and one that was given before', async () => {
  const last = (await numbersOf('INV-2026')).length;
  await expect(writeInvoiceAgain(world.query, last + 2)).rejects.toThrow(/would leave a gap/);
  await expect(writeInvoiceAgain(world.query, last)).rejects.toThrow(/would leave a gap|unique/);
});

test('a new year begins a new series', async () => {
  const kim = await world.account('kim@example.com');
  world.clock.set('2027-01-01T00:00:00Z');
  await world.buy(kim);
  expect((await invoicesOf(kim.viewer)).map(({ number }) => number)).toEqual(['INV-2027-000001']);
});

test('a number that is taken waits for the one before it to be decided', async () => {
  const order: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  let taken = () => {};
  const first = new Promise<void>((done) => (taken = done));
  const slow = inTransaction(world.context(), async (tx) => {
    order.push(`first ${await nextNumber(tx.em, 'TEST')}`);
    taken();
    await held;
    throw new Error('undone');
  }).catch(() => {});
  await first;
  const quick = inTransaction(world.context(), async (tx) => void order.push(`second ${await nextNumber(tx.em, 'TEST')}`));
  release();
  await Promise.all([slow, quick]);
  expect(order).toEqual(['first 1', 'second 1']);
});

test('the PDF says what an accountant looks for, in letters of any European alphabet, and is the same each time', async () => {
  const leo = await world.account('leo@example.com');
  await world.ask(leo.viewer, DETAILS, { input: lodz });
  await world.buy(leo, taxed);
  const [invoice] = await invoicesOf(leo.viewer);
  const id = invoice?.id ?? '';
  const { pdf, fileName } = await documentOf(world.context(), { id, accountId: leo.id });
  expect(fileName).toBe(`${invoice?.number}.pdf`);
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  expect(totalPages).toBe(1);
  for (const words of [
    'Invoice number',
    invoice?.number ?? '',
    'Kupfer Netze GmbH',
    'Gartenweg 7',
    'Tax id: DE123456788',
    'Łódzka Spółka Ściąga',
    '90-001 Łódź',
    'Tax id: PL 5260001246',
    'Premium, 5 GB',
    'Unit price',
    ' 5.00 ',
    '25.00 USD',
    'Tax 19 %',
    '4.75 USD',
    '29.75 USD',
    'Paid by card on 2027-01-01',
    'Amount due',
    '0.00 USD',
  ])
    expect(text).toContain(words);
  const again = await documentOf(world.context(), { id });
  expect(again.pdf.equals(pdf)).toBe(true);
});

test.each([
  [{ amountMinor: 2_400, quantity: 10 }, '2.40'],
  [{ amountMinor: 2_400, quantity: 1 }, '24.00'],
  [{ amountMinor: 100, quantity: 3 }, '0.3333'],
  [{ amountMinor: 733, quantity: 10 }, '0.733'],
  [{ amountMinor: -505, quantity: 2 }, '-2.525'],
  [{ amountMinor: 0, quantity: 4 }, '0.00'],
])('one of %j costs %s', (line, price) => {
  expect(unitPriceOf(line)).toBe(price);
});

test('an invoice of a hundred lines goes on over pages and loses none', async () => {
  const mia = await world.account('mia@example.com');
  const lines = Array.from({ length: 100 }, (_, index) => ({ label: `Address number ${index + 1}.`, quantity: 1, amountMinor: 25 }));
  await world.buy(mia, { lines });
  const [invoice] = await invoicesOf(mia.viewer);
  const { pdf } = await documentOf(world.context(), { id: invoice?.id ?? '' });
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  expect(totalPages).toBe(3);
  for (const { label } of lines) expect(text).toContain(label);
  expect(text).toContain('Amount due');
});
