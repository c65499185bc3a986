// A German account from its receipt to the end of its dunning: every mail, and the documents attached to it.
import { extractText, getDocumentProxy } from 'unpdf';
import { expect, test } from 'vitest';
import { DAY } from '#platform/clock.ts';
import { documentOf } from '../../../../../subgraphs/accounts/billing/invoices/services/invoice-document.ts';
import { rowsOf } from '../../../../kit/tables.ts';
import type { Person } from '../world.ts';
import { FAILS_LATER, GOOD, openRenewing, someone, world } from './renewing.ts';

openRenewing();

const choose = (person: Person, language: string) =>
  world.ask(person.viewer, `mutation { accountChooseLanguage(language: ${language}) { id } }`);

async function paperOf(id: string): Promise<string> {
  const { pdf } = await documentOf(world.context(), { id });
  return (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text;
}
const invoicesOf = ({ id }: Person) =>
  rowsOf<{ id: string }>(world.query, 'accounts.invoice', { account_id: id }, { columns: 'id', orderBy: 'number' });

test('receipt, failed renewals, suspension, warning and end are German, with its days and sums', async () => {
  const bob = await someone();
  await choose(bob, 'DE');
  const { id } = await world.subscribe(bob);
  world.sandbox.card.behave((await world.row(id)).card_id ?? '', FAILS_LATER);
  await world.toPeriodEnd(id);
  await world.pass(DAY);
  await world.pass(2 * DAY);
  await world.pass(3 * DAY);
  await world.pass(8 * DAY);
  const mails = await world.mailed(bob.email);
  expect(mails.map(({ subject }) => subject.replace(/\d\d\.\d\d\.\d{4}/, 'TAG')).toSorted()).toEqual(
    [
      'Bezahlt: VPS Plank',
      ...Array<string>(3).fill('Ihre Zahlung für VPS Plank ist fehlgeschlagen'),
      'Angehalten: VPS Plank',
      'Wird am TAG entfernt: VPS Plank',
      'Beendet: VPS Plank',
    ].toSorted(),
  );
  const textOf = (part: string) => mails.find(({ subject }) => subject.includes(part))?.text ?? '';
  expect(textOf('Bezahlt')).toContain('Wir haben 16,99 USD für VPS Plank erhalten.');
  expect(textOf('Bezahlt')).toContain('Die Rechnung liegt bei.');
  expect(textOf('fehlgeschlagen')).toMatch(
    /für 16,99 USD ist nicht gelungen: Die Karte wurde abgelehnt\. Die Bank sagt: .*\. Das war Versuch 1 von 4\./,
  );
  // The bank's own words are quoted untranslated.
  for (const { subject, text } of mails)
    expect(text.replace(/Die Bank sagt: [^.]*\./, ''), subject).not.toMatch(/\b(the|your|renew|attempt)\b|\d\.\d\d USD|\d{4}-\d\d-\d\d/i);
});

test('an invoice is in what the account read when it was issued, and stays so', async () => {
  const eva = await someone();
  const { id } = await world.subscribe(eva);
  const [english] = await invoicesOf(eva);
  const before = await paperOf(english?.id ?? '');
  expect(before).toContain('Invoice number');
  await choose(eva, 'DE');
  expect(await paperOf(english?.id ?? '')).toBe(before);
  world.sandbox.card.behave((await world.row(id)).card_id ?? '', GOOD);
  await world.toPeriodEnd(id);
  const [, german] = await invoicesOf(eva);
  const paper = await paperOf(german?.id ?? '');
  for (const words of ['Rechnungsnummer', 'Rechnungs- und Leistungsdatum', 'Zwischensumme', '16,99 USD', 'Bezahlt per Karte am ', ' bis '])
    expect(paper).toContain(words);
  expect(paper).not.toMatch(/Invoice|Amount|\d{4}-\d\d-\d\d/);
});
