// VAT ids: they are checked in the register; tax is charged until it has answered, and left out of the invoice when the recipient owes it.
import { extractText, getDocumentProxy } from 'unpdf';
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/clock.ts';
import { documentOf } from '../../../../../subgraphs/accounts/billing/invoices/services/invoice-document.ts';
import { PASSWORD, codeOf, dataOf } from '../../world.ts';
import { LINE, startSubscriptions } from '../subscriptions/subscription-world.ts';
import type { Person } from '../world.ts';
import { withDesk } from '../with-desk.ts';
import { eventsOf, rowsOf } from '../../../../kit/tables.ts';
import { stall } from '../../../../../sandbox/stall.ts';

const SELLER = {
  SELLER_NAME: 'Kupfer Netze GmbH',
  SELLER_ADDRESS: 'Gartenweg 7;10115 Berlin',
  SELLER_COUNTRY: 'DE',
  SELLER_TAX_ID: 'DE123456100',
};
const { world, desk } = await withDesk(startSubscriptions({ TAX_RATES: 'DE=19,FR=20,AT=20', ...SELLER }));
let people = 0;
const VALID = 'FR12345678100';
const { vies } = world.sandbox;
beforeEach(() => {
  vies.faults.length = 0;
  stall(world.sandbox.urls.vies, undefined);
});

const DETAILS = '{ me { billingDetails { taxId vatIdState reverseCharge vatIdCheck { valid consultationNumber name } } } }';
interface Details {
  taxId: string;
  vatIdState: string | null;
  reverseCharge: boolean;
  vatIdCheck: { valid: boolean; consultationNumber: string | null; name: string | null } | null;
}
const detailsOf = async ({ viewer }: Person) => dataOf<{ billingDetails: Details }>(await world.ask(viewer, DETAILS), 'me').billingDetails;
/** An account whose VAT id is given and was checked in the register. */
async function business(taxId: string, country = 'FR') {
  const person = await world.account(`business-${++people}@example.com`);
  expect(codeOf(await world.moveTo(person, country, { name: 'Une Société', taxId }))).toBeUndefined();
  await world.platform.queue.drain();
  return person;
}
const PREVIEW = 'query ($offer: String!) { orderPreview(offer: $offer) { reverseCharge offer { token tax { amountMinor } } } }';
async function taxOf(person: Person) {
  const { orderPreview } = (await world.ask(person.viewer, PREVIEW, { offer: world.offer(person.id) })).data as any;
  return { tax: orderPreview.offer.tax.amountMinor as number, reverseCharge: orderPreview.reverseCharge as boolean };
}
const FULL = { tax: 500, reverseCharge: false };
const NONE = { tax: 0, reverseCharge: true };

describe('an id', () => {
  test('that its register knows is charged without tax, with the proof of the question kept', async () => {
    const ada = await business(' fr 12 345 678 100');
    expect(await detailsOf(ada)).toMatchObject({
      taxId: VALID,
      vatIdState: 'VALID',
      reverseCharge: true,
      vatIdCheck: { valid: true, consultationNumber: expect.stringMatching(/^WAPI/), name: 'SANDBOX TRADER 12345678100' },
    });
    expect(await taxOf(ada)).toEqual(NONE);
    expect((await eventsOf(world.query, ada.id)).filter(({ type }) => type === 'vat_id.checked')).toMatchObject([
      { data: { country: 'FR', reverseCharge: true, valid: true } },
    ]);
  });

  test('that no register knows is charged with tax', async () => {
    const ben = await business('FR12345678200');
    expect(await detailsOf(ben)).toMatchObject({ vatIdState: 'INVALID', reverseCharge: false, vatIdCheck: { valid: false } });
    expect(await taxOf(ben)).toEqual(FULL);
  });

  test("of the seller's own country is valid, and charged with tax", async () => {
    const cem = await business('DE999999100', 'DE');
    expect(await detailsOf(cem)).toMatchObject({ vatIdState: 'VALID', reverseCharge: false });
    expect(await taxOf(cem)).toEqual({ tax: 475, reverseCharge: false });
  });

  test.each(['FR12', 'DE136695976', 'Siret 1234'])('that is none of its country is refused: %s', async (taxId) => {
    const dan = await world.account(`business-${++people}@example.com`);
    const answer = await world.moveTo(dan, 'FR', { taxId });
    expect(codeOf(answer)).toBe('parameter_invalid');
    expect(answer.errors?.[0]?.extensions).toMatchObject({ reasonCode: 'vat_id_unfit', params: { country: 'FR' } });
  });

  test('of a country outside of the Union is taken as it is, and not checked', async () => {
    const eva = await business('CHE-123.456.789', 'CH');
    expect(await detailsOf(eva)).toMatchObject({ taxId: 'CHE-123.456.789', vatIdState: null, reverseCharge: false });
  });

  test('that is changed or removed counts for nothing until the new one is checked, and the old one is checked anew', async () => {
    const fay = await business(VALID);
    vies.faults.push('MS_UNAVAILABLE', 'MS_UNAVAILABLE');
    await world.moveTo(fay, 'FR', { taxId: 'FR99999999100' });
    await world.platform.queue.drain();
    expect(await detailsOf(fay)).toMatchObject({ vatIdState: 'UNCHECKED', reverseCharge: false, vatIdCheck: null });
    expect(await taxOf(fay)).toEqual(FULL);
    await world.moveTo(fay, 'FR', { taxId: VALID });
    await world.platform.queue.drain();
    expect(await detailsOf(fay)).toMatchObject({ vatIdState: 'UNCHECKED' });
    world.clock.advance(5 * MINUTE);
    await world.platform.queue.runNow('accounts.vat-ids-check');
    expect(await taxOf(fay)).toEqual(NONE);
    await world.moveTo(fay, 'FR', { taxId: null });
    expect(await detailsOf(fay)).toMatchObject({ vatIdState: null, reverseCharge: false });
    expect(await taxOf(fay)).toEqual(FULL);
  });

  test('that stays while the address changes is not asked for again', async () => {
    const gil = await business(VALID);
    const before = vies.questions().length;
    await world.moveTo(gil, 'FR', { name: 'Another name', taxId: 'FR 12345678100' });
    await world.platform.queue.drain();
    expect(vies.questions()).toHaveLength(before);
    expect(await taxOf(gil)).toEqual(NONE);
  });
});

test('an id goes with its account, and what was answered of it stays', async () => {
  const mia = await business(VALID);
  const { viewer } = await world.logIn(mia.email);
  const CLOSE = 'mutation ($password: String) { accountClose(password: $password) { what } }';
  expect(codeOf(await world.ask(viewer, CLOSE, { password: PASSWORD }))).toBeUndefined();
  expect(await rowsOf(world.query, 'accounts.account_vat_id', { account_id: mia.id })).toEqual([]);
  expect(await rowsOf(world.query, 'accounts.vat_id_check', { account_id: mia.id })).toHaveLength(1);
});

describe('while the register has no answer', () => {
  test.each([
    'MS_UNAVAILABLE',
    'MS_MAX_CONCURRENT_REQ',
    'GLOBAL_MAX_CONCURRENT_REQ',
    'TIMEOUT',
    'SERVICE_UNAVAILABLE',
    'IP_BLOCKED',
    'INVALID_INPUT',
  ])('for %s, tax is charged, and it is asked again', async (code) => {
    vies.faults.push(code);
    const hal = await business('AT U12345100', 'AT');
    expect(await detailsOf(hal)).toMatchObject({ vatIdState: 'UNCHECKED', reverseCharge: false, vatIdCheck: null });
    expect(await taxOf(hal)).toEqual(FULL);
    await world.platform.queue.runNow('accounts.vat-ids-check');
    expect(await detailsOf(hal)).toMatchObject({ vatIdState: 'UNCHECKED' });
    world.clock.advance(5 * MINUTE);
    await world.platform.queue.runNow('accounts.vat-ids-check');
    expect(await taxOf(hal)).toEqual(NONE);
  });

  test('an answer of before holds until there is another one, which counts from then on', async () => {
    const ida = await business('ATU99999100', 'AT');
    world.clock.advance(31 * DAY);
    vies.faults.push('MS_UNAVAILABLE');
    await world.platform.queue.runNow('accounts.vat-ids-check');
    expect(await detailsOf(ida)).toMatchObject({ vatIdState: 'VALID' });
    world.clock.advance(6 * HOUR);
    const asked = vies.questions().length;
    await world.platform.queue.runNow('accounts.vat-ids-check');
    expect(vies.questions().length).toBeGreaterThan(asked);
    expect(await detailsOf(ida)).toMatchObject({ vatIdState: 'VALID' });
  });
});

describe('an invoice', () => {
  test('of a business that owes the tax says so, with both ids, and its credit note too', async () => {
    const jan = await business(VALID);
    const order = await world.place(jan);
    // Removing the id between order and payment does not change the order.
    await world.moveTo(jan, 'DE', { taxId: null });
    await world.pay(order.id);
    await world.settle();
    await world.refund(desk.viewer, { orderId: order.id, destination: 'CREDIT', amountMinor: 500 });
    const { invoices } = dataOf<{ invoices: { id: string; kind: string }[] }>(
      await world.ask(
        jan.viewer,
        '{ me { invoices { id kind reverseCharge taxNote taxBasisPoints seller { taxId } buyer { country taxId } } } }',
      ),
      'me',
    );
    const facts = { reverseCharge: true, taxBasisPoints: 0, seller: { taxId: 'DE123456100' }, buyer: { country: 'FR', taxId: VALID } };
    expect(invoices.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
      { kind: 'CREDIT_NOTE', ...facts, taxNote: expect.stringContaining('Reverse charge') },
      { kind: 'INVOICE', ...facts, taxNote: expect.stringContaining('Reverse charge') },
    ]);
    for (const { id } of invoices) {
      const { pdf } = await documentOf(world.context(), { id });
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
      for (const words of ['Reverse charge', 'Article 196', 'Tax id: DE123456100', `Tax id: ${VALID}`]) expect(text).toContain(words);
    }
  });

  test('with tax says nothing of it', async () => {
    const kim = await business('FR12345678200');
    expect(await taxOf(kim)).toEqual(FULL);
    await world.buy(kim, { taxBasisPoints: 2_000, taxMinor: 500, totalMinor: 3_000 });
    const { invoices } = dataOf<{ invoices: object[] }>(
      await world.ask(kim.viewer, '{ me { invoices { reverseCharge taxNote tax { amountMinor } } } }'),
      'me',
    );
    expect(invoices).toEqual([{ reverseCharge: false, taxNote: null, tax: { amountMinor: 500 } }]);
  });
});

test('renewals go by the id as it is when they are asked for', async () => {
  const leo = await business(VALID);
  const { id } = await world.subscribe(leo);
  await world.toPeriodEnd(id);
  expect((await world.orders(id)).at(-1)).toMatchObject({ kind: 'RENEWAL', total_minor: String(LINE.amountMinor) });
  await world.moveTo(leo, 'FR', { taxId: null });
  await world.rest();
  await world.toPeriodEnd(id);
  expect((await world.orders(id)).at(-1)).toMatchObject({ kind: 'RENEWAL', total_minor: String(LINE.amountMinor + 340) });
});
