// One supply has one numbered invoice, ours. What a processor shows and keeps is no invoice, and says so at the payment, in the account's language.
import { expect, test } from 'vitest';
import { NO_INVOICE } from '../../../../../subgraphs/accounts/billing/payments/domain/no-invoice.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import { dataOf } from '../../world.ts';
import type { Person } from '../world.ts';
import { startPayPalBilling } from './paypal-world.ts';

const { world, paypal, someone, subscribe } = await startPayPalBilling();
const { card } = world.sandbox;

interface Placed {
  id: string;
  checkoutUrl: string | null;
}
const inLanguage = async (language: 'en' | 'de'): Promise<Person> => {
  const person = await someone();
  const code = language.toUpperCase();
  await world.ask(person.viewer, 'mutation ($language: Language!) { accountChooseLanguage(language: $language) { id } }', {
    language: code,
  });
  return person;
};
const place = async ({ id, viewer }: Person, method: string) =>
  dataOf<Placed>(
    await world.ask(viewer, placeOrder('id checkoutUrl', method), { offer: world.offer(id), key: world.newKey() }),
    'orderPlace',
  );
const textOf = async (url: string | null) => (await fetch(url ?? '')).text();
/** The numbered invoices that we have issued for an order. */
const invoicesOf = async ({ viewer }: Person, id: string) =>
  dataOf<{ invoices: { number: string; kind: string }[] }>(
    await world.ask(viewer, 'query ($id: ID!) { order(id: $id) { invoices { number kind } } }', { id }),
    'order',
  ).invoices;

test.each([
  ['CARD', 'en'],
  ['CARD', 'de'],
  ['PAYPAL', 'en'],
  ['PAYPAL', 'de'],
  ['CRYPTO', 'en'],
  ['CRYPTO', 'de'],
] as const)('the page where an order is paid by %s says in %s that it is no invoice', async (method, language) => {
  const order = await place(await inLanguage(language), method);
  const page = await textOf(order.checkoutUrl);
  expect(page).toContain(NO_INVOICE[language]);
  expect(page).not.toContain(NO_INVOICE[language === 'en' ? 'de' : 'en']);
});

test('a card pays an order, and the processor has made no invoice of it', async () => {
  const ada = await inLanguage('en');
  const { id } = await place(ada, 'CARD');
  const [session] = card.sessions().filter(({ client_reference_id: reference }) => reference === id);
  expect(session).toMatchObject({ invoice_creation: null, invoice: null, locale: 'en' });
  card.payCheckout(session?.id ?? '');
  await world.settle();
  expect(card.invoices()).toEqual([]);
  // The processor mails no receipt either: our receipt comes with the invoice.
  expect(card.charges().map(({ receipt_email: receipt }) => receipt)).toEqual([null]);
  expect(await invoicesOf(ada, id)).toMatchObject([{ kind: 'INVOICE', number: expect.stringMatching(/^INV-\d{4}-\d{6}$/) }]);
});

test('what PayPal prints as the number of an invoice is the order, and what it is for says where the invoice is', async () => {
  const ben = await inLanguage('de');
  const { id } = await place(ben, 'PAYPAL');
  paypal.approve(await world.checkoutOf(id));
  await world.settle();
  const [order] = paypal.orders().filter(({ unit }) => unit.custom_id === id);
  expect(order?.unit).toMatchObject({ invoice_id: id, description: `Premium, 5 GB. ${NO_INVOICE.de}` });
  expect(await invoicesOf(ben, id)).toHaveLength(1);
});

test('a renewal is asked for by a page of the processor that says the same, and by PayPal so', async () => {
  const cleo = await inLanguage('de');
  const { id } = await world.subscribe(cleo, { card: '4000002760003184' });
  await world.toPeriodEnd(id);
  const [, renewal] = await world.orders(id);
  expect(await textOf(renewal?.checkout_url ?? null)).toContain(NO_INVOICE.de);

  const dan = await inLanguage('en');
  const { id: byPayPal } = await subscribe(dan, 'dan@paypal.test');
  await world.toPeriodEnd(byPayPal);
  const renewed = paypal.orders().filter(({ unit }) => unit.reference_id === 'renewal');
  expect(renewed.map(({ unit }) => unit.description)).toEqual([expect.stringContaining(NO_INVOICE.en)]);
  // A long title is cut, so that the sentence fits.
  expect(renewed.every(({ unit }) => (unit.description?.length ?? 0) <= 127)).toBe(true);
});
