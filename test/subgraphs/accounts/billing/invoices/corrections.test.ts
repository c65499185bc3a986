// Credit notes, however they come about: tax rate, currency and upper bound are those of the invoice that is corrected.
import { describe, expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { prorate } from '#commerce/proration.ts';
import { codeOf, dataOf } from '../../world.ts';
import { startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import { writeNote } from '../../../../kit/invoice-rows.ts';
import { ledgerRows, writeJournal } from '../../../../kit/ledger-rows.ts';
import { rowsOf, setRows } from '../../../../kit/tables.ts';
import { withDesk } from '../with-desk.ts';

const { world, desk } = await withDesk(startSubscriptions());
let people = 0;

const person = () => world.account(`customer-${++people}@example.com`);
const addresses = (quantity: number) => ({ label: 'ISP address', quantity, amountMinor: 240 * quantity });
/** Buys a subscription of `quantity` addresses, at a tax rate. */
const buy = (owner: Person, quantity: number, taxBasisPoints: number) =>
  world.subscribe(owner, { lines: [addresses(quantity)], taxBasisPoints });
/** Removes addresses at once, so that all that was paid for them is credited. The change is priced in a country with another rate. */
async function giveBack(
  owner: Person,
  id: string,
  { from, to, version, rate }: { from: number; to: number; version: number; rate: number },
) {
  const terms = { lines: [], creditMinor: 240 * (from - to), taxBasisPoints: rate };
  const order = await world.change(owner, id, { lines: [addresses(to)], basedOn: version }, terms);
  await world.adjusted();
  return order;
}

interface Note {
  corrects_id: string;
  subtotal_minor: string;
  tax_minor: string;
  total_minor: string;
  tax_basis_points: number;
}
const notesOf = ({ id }: Person) =>
  rowsOf<Note>(
    world.query,
    'accounts.invoice',
    { account_id: id, kind: 'CREDIT_NOTE' },
    { columns: 'corrects_id, subtotal_minor, tax_minor, total_minor, tax_basis_points', orderBy: 'number' },
  );
const invoicesOf = ({ id }: Person) =>
  rowsOf<{ id: string; total_minor: string }>(
    world.query,
    'accounts.invoice',
    { account_id: id, kind: 'INVOICE' },
    { columns: 'id, total_minor', orderBy: 'number' },
  );
/** The balance of the ledger TAX for an account: negative where tax is owed. */
const taxLedgerOf = ({ id }: Person) => ledgerRows(world.query).taxOf(id);

describe('after a change of country', () => {
  test('what was bought without tax comes back without tax, however often it is tried', async () => {
    const ada = await person();
    const { id } = await buy(ada, 20, 0);
    await giveBack(ada, id, { from: 20, to: 1, version: 1, rate: 2_700 });
    expect(await world.balance(ada)).toBe(4_560);
    // Once more, paid with that credit, between the two countries.
    const second = await buy(ada, 19, 0);
    await giveBack(ada, second.id, { from: 19, to: 1, version: 1, rate: 1_900 });
    expect(await world.balance(ada)).toBe(4_320);
    expect(await taxLedgerOf(ada)).toBe(0);
    expect(await notesOf(ada)).toMatchObject([
      { tax_basis_points: 0, tax_minor: '0', total_minor: '4560' },
      { tax_basis_points: 0, tax_minor: '0', total_minor: '4320' },
    ]);
  });

  test('what was bought with tax comes back with its tax, to the cent when all of it does', async () => {
    const ben = await person();
    const { id, order } = await buy(ben, 10, 1_900);
    await giveBack(ben, id, { from: 10, to: 7, version: 1, rate: 0 });
    expect(await world.balance(ben)).toBe(720 + 137);
    await giveBack(ben, id, { from: 7, to: 1, version: 2, rate: 2_700 });
    expect(dataOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' }), 'supportOrderRefund')).toMatchObject({
      amount: { amountMinor: 240 + 46 },
    });
    expect(await world.balance(ben)).toBe(2_400 + 456);
    expect(await taxLedgerOf(ben)).toBe(0);
    expect((await notesOf(ben)).map((note) => note.tax_basis_points)).toEqual([1_900, 1_900, 1_900]);
  });

  test('the preview of a change says what it gives back, with the tax that was paid', async () => {
    const cem = await person();
    const { id } = await buy(cem, 10, 1_900);
    const PREVIEW = 'query ($offer: String!) { orderPreview(offer: $offer) { offer { credit { amountMinor } } } }';
    const terms = world.termsOf({ id, lines: [addresses(6)], basedOn: 1 }, { lines: [], creditMinor: 960, taxBasisPoints: 2_700 });
    const offer = world.offer(cem.id, terms);
    expect(dataOf(await world.ask(cem.viewer, PREVIEW, { offer }), 'orderPreview')).toEqual({
      offer: { credit: { amountMinor: 960 + 182 } },
    });
    await world.place(cem, terms);
    expect(await world.balance(cem)).toBe(960 + 182);
  });
});

describe('never more than is left', () => {
  test('what a change has given back, a refund does not give back again', async () => {
    const dan = await person();
    const { id, order } = await buy(dan, 10, 0);
    await giveBack(dan, id, { from: 10, to: 1, version: 1, rate: 0 });
    expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD', amountMinor: 2_400 }))).toBe(
      'parameter_invalid',
    );
    expect(dataOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD' }), 'supportOrderRefund')).toMatchObject({
      amount: { amountMinor: 240 },
    });
    expect(await world.balance(dan)).toBe(2_160);
  });

  test('what a refund has given back, a change does not give back again', async () => {
    const eva = await person();
    const { id, order } = await buy(eva, 10, 0);
    await world.refund(desk.viewer, { orderId: order.id, destination: 'CARD', amountMinor: 2_000 });
    await giveBack(eva, id, { from: 10, to: 1, version: 1, rate: 0 });
    expect(await world.balance(eva)).toBe(400);
    // Nothing is left to credit: the change is made, and credits nothing.
    const order2 = await giveBack(eva, id, { from: 10, to: 1, version: 2, rate: 0 });
    expect(order2.status).toBe('PAID');
    expect(await world.balance(eva)).toBe(400);
  });

  test('it is split over the invoices of the period, newest first, and never touches those of a period that is over', async () => {
    const fay = await person();
    const { id } = await buy(fay, 10, 1_900);
    await world.toPeriodEnd(id);
    await world.rest();
    const row = await world.row(id);
    const added = world.termsOf({ id, lines: [addresses(13)], basedOn: row.version }, { lines: [addresses(3)], taxBasisPoints: 700 });
    const more = await world.place(fay, added);
    await world.pay(more.id);
    await world.rest();
    await world.adjusted();
    const [first, renewal, addition] = await invoicesOf(fay);
    const { version } = await world.row(id);
    await giveBack(fay, id, { from: 13, to: 1, version, rate: 2_700 });
    expect(await notesOf(fay)).toMatchObject([
      { corrects_id: addition?.id, subtotal_minor: '720', tax_basis_points: 700, tax_minor: '50' },
      // The renewal has no tax, as the account has no country.
      { corrects_id: renewal?.id, subtotal_minor: '2160', tax_basis_points: 0, tax_minor: '0' },
    ]);
    expect((await notesOf(fay)).map((note) => note.corrects_id)).not.toContain(first?.id);
    expect(await world.balance(fay)).toBe(720 + 50 + 2_160);
  });

  test('refunds and changes of one order at once share what is left', async () => {
    const gil = await person();
    const { id, order } = await buy(gil, 10, 1_900);
    const refund = (destination: 'CARD' | 'CREDIT') => world.refund(desk.viewer, { orderId: order.id, destination, amountMinor: 1_000 });
    await Promise.all([
      giveBack(gil, id, { from: 10, to: 1, version: 1, rate: 0 }).catch(() => undefined),
      ...Array.from({ length: 6 }, (_, index) => refund(index % 2 === 0 ? 'CARD' : 'CREDIT')),
    ]);
    const [invoice] = await invoicesOf(gil);
    const given = (await notesOf(gil)).reduce((sum, note) => sum + Number(note.total_minor), 0);
    expect(given).toBeLessThanOrEqual(Number(invoice?.total_minor));
    expect(await taxLedgerOf(gil)).toBeLessThanOrEqual(0);
  });
});

describe('the database refuses', () => {
  test.each([
    ['a note above what is left of its invoice', 2_400, 1, 1_900, /more than is left/],
    ['more tax than is left of it', 0, 457, 1_900, /more than is left/],
    ['another rate', 100, 19, 1_800, /does not fit/],
    ['less than nothing of one of both', -19, 19, 1_900, /more than is left/],
  ])('%s', async (_, subtotalMinor, taxMinor, taxBasisPoints, reason) => {
    const hal = await person();
    const { order } = await buy(hal, 10, 1_900);
    await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', amountMinor: 1 });
    const [invoice] = await invoicesOf(hal);
    const note = { accountId: hal.id, subtotalMinor, taxMinor, taxBasisPoints };
    await expect(writeNote(world.query, invoice?.id ?? '', note)).rejects.toThrow(reason);
  });

  const reclaim = (owner: string, id: string, taxMinor: number) => {
    const entries = [
      { ledger: 'TAX', amountMinor: taxMinor },
      { ledger: 'REVENUE', amountMinor: -taxMinor },
    ];
    return writeJournal(world.query, id, entries, owner);
  };

  test('tax back for an account that paid less of it', async () => {
    const ida = await person();
    await buy(ida, 10, 1_900);
    await expect(reclaim(ida.id, 'jrn_tax', 457)).rejects.toThrow('tax_balance_not_reclaimed');
    await reclaim(ida.id, 'jrn_tax', 456);
  });

  test('nothing of what an account pays and gets back rightly after it was given too much in the past', async () => {
    const jan = await person();
    await buy(jan, 1, 1_900);
    // Sets a balance that an older release could leave: more tax was given back than paid.
    await setRows(world.query, 'accounts.tax_balance', { amount_minor: -1_000, floor_minor: -1_000 }, { account_id: jan.id });
    const { order } = await buy(jan, 10, 1_900);
    expect(codeOf(await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT' }))).toBeUndefined();
    await expect(reclaim(jan.id, 'jrn_past', 1)).rejects.toThrow('tax_balance_not_reclaimed');
  });
});

test('in the middle of a period as much comes back as is left of it, with its tax', async () => {
  const kim = await person();
  const { id } = await buy(kim, 10, 1_900);
  await world.pass(10 * DAY, DAY);
  const { current_period_start: periodStart, current_period_end: periodEnd } = await world.row(id);
  const creditMinor = prorate({ fullMinor: 1_200, periodStart, periodEnd, months: 1, at: world.clock.now() });
  await world.change(kim, id, { lines: [addresses(5)], basedOn: 1 }, { lines: [], creditMinor, taxBasisPoints: 0 });
  expect(await world.balance(kim)).toBe(creditMinor + Math.round(creditMinor * 0.19));
});
