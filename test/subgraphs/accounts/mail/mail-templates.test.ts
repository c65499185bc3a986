// Texts of mails that an operator writes at the command line: checked, shown, tried, published in versions, and taken back.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DESK_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-commands.ts';
import { runCommand } from '#platform/desk-command.ts';
import type { Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { MAIL_FIELDS } from '../../../../subgraphs/accounts/mail-fields.ts';
import { MAIL_SAMPLES } from '../../../../subgraphs/accounts/mail-samples.ts';
import { checkTemplate, readTemplate, writeByTemplate } from '../../../../subgraphs/accounts/mail/domain/mail-template.ts';
import { standardTemplate } from '../../../../subgraphs/accounts/mail/domain/standard-template.ts';
import type { MailKind } from '../../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { postMail } from '../../../../subgraphs/accounts/mail/services/mails.ts';
import { MAILS } from '../../../../subgraphs/accounts/mails.ts';
import { addRow, rowsOf } from '../../../kit/tables.ts';
import { type AccountsWorld, startAccounts } from '../world.ts';

type Person = Awaited<ReturnType<AccountsWorld['account']>>;
let world: AccountsWorld;
let owner: Person | undefined;
const folder = mkdtempSync(join(tmpdir(), 'egress-mail-texts-'));
beforeAll(async () => {
  world = await startAccounts();
  owner = await world.account('ada@example.com', 'STAFF');
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const run = (name: string, of: string, more: Partial<Words> = {}) =>
  runCommand(world.as(owner!.viewer), name, DESK_COMMANDS[name] ?? expect.fail(`no ${name}`), { ...more, of });
let files = 0;
const file = (text: string) => {
  const path = join(folder, `${++files}.txt`);
  writeFileSync(path, text);
  return path;
};
const PAID = 'Thank you: {title}\r\n\r\nWe have your {total}, {brand} says.\r\n\r\nOpen the order: {url}\r\n';
const BEZAHLT = 'Danke: {title}\n\nWir haben {total}.\n\nBestellung: {url}';
const order = { title: 'Premium, 5 GB', total: '1200.50 USD', url: 'https://egress.example/orders/ord_1?a=1&b=2' };

async function sent(to: string, language: 'en' | 'de' = 'en', data = order) {
  await postMail(world.as(owner!.viewer), to, 'order_paid', data, language);
  return (await world.mailed(to)).at(-1) ?? expect.unreachable();
}

test.each<[what: string, kind: string, text: string, reason: string, params: object]>([
  [
    'a placeholder that this mail does not know',
    'order_paid',
    'Paid\n\n{titel} {title}\n\nOpen: {url}',
    'mail_placeholder_unknown',
    { name: '{titel}' },
  ],
  ['one in the subject', 'order_paid', '{hours}\n\n{title}\n\nOpen: {url}', 'mail_placeholder_unknown', { name: '{hours}' }],
  ['a brace that is no placeholder', 'order_paid', 'Paid\n\n{ title } {title}\n\nOpen: {url}', 'mail_placeholder_unknown', { name: '{}' }],
  ['a link that was dropped', 'recover', 'New password\n\nWithin {hours} hours.', 'mail_placeholder_missing', { name: '{url}' }],
  [
    'a bank account that was dropped',
    'transfer_terms',
    'Pay\n\n{reference} {amount} {until}\n\nSee: {url}',
    'mail_placeholder_missing',
    { name: '{bank}' },
  ],
  ['a link in the middle of words', 'recover', 'New password\n\nGo to {url} now.', 'mail_link_unfit', {}],
  ['two links', 'recover', 'New password\n\nOne: {url}\n\nTwo: {url}', 'mail_link_unfit', {}],
  ['no text', 'recover', 'New password', 'line_length', {}],
  ['a subject that is too long', 'recover', `${'a'.repeat(151)}\n\nGo: {url}`, 'line_length', { max: 150 }],
  ['a mail whose text depends on what has happened', 'renewal_failed', 'Failed\n\n{title}', 'mail_kind_unfit', {}],
  ['a mail to staff', 'sales_asked', 'Asked\n\n{url}', 'mail_kind_unfit', {}],
  ['no mail', 'toString', 'Hello\n\nHello.', 'mail_kind_unfit', {}],
])('%s is refused, shown, tried and published alike', async (_, kind, text, reason, params) => {
  const refusal = { code: 'parameter_invalid', meta: { reason: { code: reason, params: expect.objectContaining(params) } } };
  for (const command of ['mail-text', 'mail-text-try', 'mail-text-publish'])
    await expect(run(command, kind, { en: file(text) }), command).rejects.toMatchObject(refusal);
  expect(await rowsOf(world.query, 'accounts.mail_template', { kind })).toEqual([]);
});

test.each(Object.entries(MAIL_FIELDS))('the own text of %s is a template that says the same', (name, fields) => {
  const kind = name as keyof typeof MAIL_FIELDS;
  const sample = { ...MAIL_SAMPLES[kind], brand: 'Egress' };
  const sayable: readonly string[] = ['brand', ...fields.needed, ...fields.known];
  // Of a list one entry, which has nothing between entries; and a device whose name is the same in both languages.
  const said = (value: unknown) => (Array.isArray(value) ? value.slice(0, 1) : value === 'Firefox on Linux' ? 'curl' : value);
  const known = Object.fromEntries(Object.entries(sample).map(([field, value]) => [field, sayable.includes(field) ? said(value) : null]));
  for (const language of ['en', 'de'] as const) {
    const own = MAILS[language][kind];
    const template = standardTemplate(own, fields, MAIL_SAMPLES[kind]);
    expect(() => checkTemplate(template, fields)).not.toThrow();
    expect(writeByTemplate(language, template, known)).toEqual(own(known as never));
  }
});

test('a text is shown with sample data, and sent to whoever tries it, before anybody else gets it', async () => {
  const { title, total } = MAIL_SAMPLES.order_paid;
  expect(await run('mail-text', 'order_paid', { en: file(PAID) })).toMatch(
    new RegExp(`^en: Thank you: ${title}\n\nWe have your ${total.replace('$', '\\$')}, \\S+ says\\.\n\nOpen the order:\nhttps://`),
  );
  expect(await run('mail-text-try', 'order_paid', { en: file(PAID) })).toBe('Sent to ada@example.com: en.');
  expect((await world.mailed('ada@example.com')).at(-1)?.subject).toBe(`Thank you: ${title}`);
  expect((await sent('bob@example.com')).subject).not.toContain('Thank you');
});

test('published it is sent from then on, in its language alone, also to mails that wait; taken back it is the own one again', async () => {
  expect(await run('mail-text-publish', 'order_paid', { en: file(PAID), reason: 'Warmer' })).toBe(
    'order_paid is sent by en 1 from now on.',
  );
  const english = await sent('carl@example.com');
  expect(english).toMatchObject({ subject: 'Thank you: Premium, 5 GB' });
  expect(english.text).toMatch(
    /We have your 1200\.50 USD, .* says\.\n\nOpen the order:\nhttps:\/\/egress\.example\/orders\/ord_1\?a=1&b=2/,
  );
  expect(english.html).toContain('href="https://egress.example/orders/ord_1?a=1&#38;b=2"');
  expect((await sent('carl@example.com', 'de')).subject).not.toContain('Thank you');
  await run('mail-text-publish', 'order_paid', { de: file(BEZAHLT), en: file(PAID.replace('Thank you', 'Thanks')) });
  expect((await sent('carl@example.com', 'de')).text).toContain('Wir haben 1.200,50 USD.');
  expect((await sent('carl@example.com')).subject).toBe('Thanks: Premium, 5 GB');
  const listed = await run('mail-texts', 'order_paid');
  expect(listed).toContain('order_paid\tneeds {url} {title}\tknows {total}');
  expect(listed).toMatch(/order_paid\ten 2\t\S+\tThanks: \{title\}\t\norder_paid\ten 1\t\S+\tThank you: \{title\}\tWarmer$/m);
  await run('mail-text-withdraw', 'order_paid');
  expect(await sent('carl@example.com')).toMatchObject({ subject: MAILS.en.order_paid({ brand: 'Egress', ...order }).subject });
  await vi.waitFor(async () => {
    const acts = await rowsOf<{ act: string }>(world.query, 'accounts.staff_act', { account_id: owner!.id }, { columns: 'act' });
    expect(acts.map(({ act }) => act)).toEqual(expect.arrayContaining(['mail-text-try', 'mail-text-publish', 'mail-text-withdraw']));
  });
});

test('of several languages all are published or none', async () => {
  const files = { en: file(PAID), de: file('Danke\n\n{unknown}') };
  await expect(run('mail-text-publish', 'order_held', files)).rejects.toMatchObject({ code: 'parameter_invalid' });
  expect(await rowsOf(world.query, 'accounts.mail_template', { kind: 'order_held' })).toEqual([]);
});

test('what people typed is no placeholder and no HTML', () => {
  const data = { brand: 'Egress', title: '{total} <b>$&', total: '$1', url: order.url };
  const { text, html } = writeByTemplate('en', readTemplate(PAID.replace('your {total}', '{title}')), data);
  expect(text).toContain('We have {total} <b>$&, Egress says.');
  expect(html).not.toContain('<b>');
});

test('a text that fits its mail no longer, after an upgrade, is set aside, and the mail goes out', async () => {
  await addRow(world.query, 'accounts.mail_template', {
    ...{ id: 'mail_old', kind: 'order_paid', language: 'en', version: 9, subject: 'Old', body: '{gone}', note: '' },
    ...{ published_at: world.clock.now(), published_by: owner!.id },
  });
  expect((await sent('dora@example.com')).subject).toBe(MAILS.en.order_paid({ brand: 'Egress', ...order }).subject);
});

test.each(Object.keys(MAIL_FIELDS) as (keyof typeof MAIL_FIELDS & MailKind)[])(
  '%s can say all that it knows, in both languages',
  (kind) => {
    const { needed, known }: { needed: readonly string[]; known: readonly string[] } = MAIL_FIELDS[kind];
    const names = [...needed, ...known];
    const template = {
      subject: 'Subject',
      body: names.map((name) => (name === 'url' ? 'Link: {url}' : `${name} is {${name}}.`)).join('\n\n'),
    };
    checkTemplate(template, MAIL_FIELDS[kind]);
    for (const language of ['en', 'de'] as const) {
      const { text } = writeByTemplate(language, template, { brand: 'Egress', ...MAIL_SAMPLES[kind] });
      for (const name of names) if (name !== 'url') expect(text).toMatch(new RegExp(`^${name} is \\S`, 'm'));
      expect(text).not.toMatch(/undefined|\[object|[{}]/);
    }
  },
);
