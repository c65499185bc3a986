// Texts of mails at the desk: shown, sent to whoever writes them, published, and taken back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsOf } from '../../../kit/tables.ts';
import { codeOf, dataOf } from '../world.ts';
import { type BillingWorld, type Person, startBilling } from '../billing/world.ts';

let world: BillingWorld;
let desk: Person;
beforeAll(async () => {
  world = await startBilling();
  desk = await world.account('desk@example.com', 'STAFF');
});
afterAll(() => world.close());

const OWN = { subject: 'Thanks: {title}', body: 'You have paid {total}.\n\nSee it: {url}' };
const input = (over: object = {}) => ({ kind: 'order_paid', language: 'EN', ...OWN, ...over });
const ask = (text: string, variables: object = {}, by = desk) => world.ask(by.viewer, text, { ...variables });
const preview = (given: object) =>
  ask('query ($input: SupportMailTextInput!) { supportMailTextPreview(input: $input) { subject text } }', { input: given });
const publish = (given: object, note?: string) =>
  ask(
    'mutation ($input: SupportMailTextInput!, $note: String) { supportMailTextPublish(input: $input, note: $note) { kind versions { language version subject note publishedBy } } }',
    {
      input: given,
      note,
    },
  );
const paid = async () => {
  const person = await world.account(`reader${Math.random()}@example.com`);
  await world.buy(person);
  return (await world.mailed(person.email)).map(({ subject }) => subject);
};

test('says which mails can be written, what each knows, and what the program says', async () => {
  const rows = dataOf<{ kind: string }[]>(
    await ask('{ supportMailTexts { kind needed known standard { language subject body } versions { id } } }'),
    'supportMailTexts',
  );
  expect(rows.find(({ kind }) => kind === 'order_paid')).toEqual({
    kind: 'order_paid',
    needed: ['url', 'title'],
    known: ['total'],
    standard: [
      { language: 'EN', subject: 'Paid: {title}', body: 'Thank you. We received {total} for {title}.\n\nSee the order: {url}' },
      {
        language: 'DE',
        subject: 'Bezahlt: {title}',
        body: 'Vielen Dank. Wir haben {total} für {title} erhalten.\n\nBestellung ansehen: {url}',
      },
    ],
    versions: [],
  });
});

test('is shown with sample data, sent to its writer alone, published and taken back, and each is recorded', async () => {
  expect(dataOf<{ subject: string }>(await preview({ kind: 'order_paid', language: 'EN' }), 'supportMailTextPreview').subject).toMatch(
    /^Paid: /,
  );
  expect(dataOf(await preview(input()), 'supportMailTextPreview')).toMatchObject({ subject: 'Thanks: Premium, 5 GB' });
  expect(
    dataOf(
      await ask('mutation ($input: SupportMailTextInput!) { supportMailTextTry(input: $input) }', { input: input() }),
      'supportMailTextTry',
    ),
  ).toBe('desk@example.com');
  await world.settle();
  expect((await world.mailed('desk@example.com')).at(-1)?.subject).toBe('Thanks: Premium, 5 GB');
  expect(await paid()).toContain('Paid: Premium, 5 GB');
  expect(dataOf(await publish(input(), 'warmer'), 'supportMailTextPublish')).toMatchObject({
    versions: [{ language: 'EN', version: 1, subject: OWN.subject, note: 'warmer', publishedBy: desk.id }],
  });
  expect(await paid()).toContain('Thanks: Premium, 5 GB');
  const back = { kind: 'order_paid', language: 'EN' };
  expect(dataOf<{ versions: object[] }>(await publish(back), 'supportMailTextPublish').versions[0]).toMatchObject({
    version: 2,
    subject: null,
  });
  expect(await paid()).toContain('Paid: Premium, 5 GB');
  const acts = (await eventsOf<{ act: string }>(world.query, desk.id, 'staff.acted')).map(({ data }) => data.act);
  expect(acts).toEqual(['supportMailTextTry', 'supportMailTextPublish', 'supportMailTextPublish']);
});

test.each([
  ['a placeholder that the mail does not know', { body: 'Dear {name}, {title}\n\nSee: {url}' }],
  ['a text without what it needs', { body: 'Thanks.' }],
  ['half a text', { body: undefined }],
  ['a mail that cannot be written', { kind: 'verify_email' }],
])('refuses %s', async (_what, over) => {
  for (const answer of [await preview(input(over)), await publish(input(over))]) expect(codeOf(answer)).toBe('parameter_invalid');
});

test('is for owners of the shop alone', async () => {
  const customer = await world.account('nosy@example.com');
  expect(codeOf(await ask('{ supportMailTexts { kind } }', {}, customer))).toBe('forbidden');
});
