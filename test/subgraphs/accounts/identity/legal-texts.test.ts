// Terms, privacy policy and imprint: published in versions, and agreed to at the sign-up and when a new version comes into force.
import { rmSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { LEGAL_COMMANDS } from '../../../../subgraphs/accounts/commands/desk-legal.ts';
import type { Words } from '../../../../subgraphs/accounts/commands/desk.ts';
import { type AccountsWorld, PASSWORD, codeOf, dataOf, startAccounts, visitor } from '../world.ts';
import { actsOf, queryOf, rowsOf, setRows } from '../../../kit/tables.ts';

let world: AccountsWorld;
let owner: Awaited<ReturnType<AccountsWorld['account']>>;
beforeAll(async () => {
  world = await startAccounts();
  owner = await world.account('owner@example.com', 'STAFF');
});
afterAll(() => world.close());

const PUBLISH = `mutation ($input: SupportLegalInput!) { supportLegalPublish(input: $input) { kind version en de validFrom note } }`;
const publish = (kind: string, more: Record<string, unknown> = {}) =>
  world.ask(owner.viewer, PUBLISH, { input: { kind, en: `${kind} in English`, ...more } });
const inForce = async () =>
  dataOf<{ kind: string; version: number; en: string; de: string | null }[]>(
    await world.ask(visitor(), '{ legalTexts { kind version en de } }'),
    'legalTexts',
  );
const SIGN_UP = 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }';
const signUp = (email: string, accepts?: object[]) =>
  world.ask(visitor(), SIGN_UP, { input: { email, password: PASSWORD, ...(accepts && { accepts }) } });
/** Follows the link in the mail and logs in with the password, which makes the account. */
async function enter(email: string) {
  const browser = world.browser();
  const mail = (await world.mailed(email)).at(-1);
  const link = /https?:\S+\/auth\/verify\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  await browser.follow(link);
  expect((await browser.post('/auth/sign-in', { email, password: PASSWORD })).status).toBe(200);
  return world.callerOf(browser.token() ?? '');
}
const DUE = '{ me { id consents { kind version givenAt } consentsDue { kind version } } }';
interface Agreed {
  id: string;
  consents: { kind: string; version: number; givenAt: string }[];
  consentsDue: { kind: string; version: number }[];
}

test('while nothing is published nobody is asked for anything', async () => {
  expect(await inForce()).toEqual([]);
  expect(codeOf(await signUp('early@example.com'))).toBeUndefined();
});

test('versions count up, hold from their day on, and are read by everybody', async () => {
  expect(dataOf(await publish('TERMS', { de: 'AGB auf Deutsch', note: 'The first ones' }), 'supportLegalPublish')).toMatchObject({
    kind: 'TERMS',
    version: 1,
    note: 'The first ones',
  });
  await publish('IMPRINT');
  await publish('PRIVACY');
  const next = after(world.clock.now(), 30 * DAY).toISOString();
  await publish('TERMS', { en: 'Terms of next month', validFrom: next });
  expect(await inForce()).toEqual([
    { kind: 'TERMS', version: 1, en: 'TERMS in English', de: 'AGB auf Deutsch' },
    { kind: 'PRIVACY', version: 1, en: 'PRIVACY in English', de: null },
    { kind: 'IMPRINT', version: 1, en: 'IMPRINT in English', de: null },
  ]);
  expect(codeOf(await publish('TERMS'))).toBe('parameter_invalid');
  expect(codeOf(await publish('IMPRINT', { validFrom: after(world.clock.now(), -DAY).toISOString() }))).toBe('parameter_invalid');
  expect(codeOf(await publish('IMPRINT', { en: '  ' }))).toBe('parameter_invalid');
});

test('who signs up agrees to what holds, which stands with the account from then on', async () => {
  const both = [
    { kind: 'TERMS', version: 1 },
    { kind: 'PRIVACY', version: 1 },
  ];
  expect(codeOf(await signUp('bo@example.com'))).toBe('consent_required');
  expect(codeOf(await signUp('bo@example.com', both.slice(0, 1)))).toBe('consent_required');
  const at = world.clock.now().toISOString();
  expect(codeOf(await signUp('bo@example.com', both))).toBeUndefined();
  world.clock.advance(60_000);
  const { viewer } = await enter('bo@example.com');
  const me = dataOf<Agreed>(await world.ask(viewer, DUE), 'me');
  expect(me.consents.map(({ kind, version, givenAt }) => [kind, version, givenAt])).toEqual([
    ['PRIVACY', 1, at],
    ['TERMS', 1, at],
  ]);
  expect(me.consentsDue).toEqual([]);
});

test('a new version is agreed to when it holds; accounts of before, and those of a chat platform, are asked for all of it', async () => {
  const cy = await world.account('cy@example.com');
  const due = async () => dataOf<Agreed>(await world.ask(cy.viewer, DUE), 'me').consentsDue;
  const GIVE = 'mutation ($kind: LegalKind!, $version: Int!) { consentGive(kind: $kind, version: $version) { id } }';
  const give = (kind: string, version: number) => world.ask(cy.viewer, GIVE, { kind, version });
  expect(await due()).toEqual([
    { kind: 'TERMS', version: 1 },
    { kind: 'PRIVACY', version: 1 },
  ]);
  expect(codeOf(await give('TERMS', 9))).toBe('parameter_invalid');
  for (const kind of ['TERMS', 'PRIVACY', 'TERMS']) dataOf(await give(kind, 1), 'consentGive');
  expect(await due()).toEqual([]);
  world.clock.advance(30 * DAY);
  expect(await due()).toEqual([{ kind: 'TERMS', version: 2 }]);
  dataOf(await give('TERMS', 2), 'consentGive');
  expect(await due()).toEqual([]);
  expect(await rowsOf(world.query, 'accounts.consent', { account_id: cy.id })).toHaveLength(3);
  expect((await actsOf(world.query, cy.id)).filter((act) => act === 'OWNER consent.given')).toHaveLength(4);
});

test('nothing that was published or agreed to is ever changed, and only owners publish', async () => {
  const query = queryOf(world.context().em);
  for (const table of ['accounts.legal_text', 'accounts.consent'])
    await expect(setRows(query, table, { version: 7 }, { kind: 'TERMS' })).rejects.toThrow(/permission denied/);
  const helper = { ...owner.viewer, permissions: ['customers' as const] };
  expect(codeOf(await world.ask(helper, PUBLISH, { input: { kind: 'TERMS', en: 'Mine' } }))).toBe('permission_missing');
  expect(codeOf(await world.ask(helper, '{ supportLegalTexts { id } }'))).toBe('permission_missing');
});

test('the same is done by commands, from files', async () => {
  const run = (command: string, of = '', more: Partial<Words> = {}) =>
    LEGAL_COMMANDS[command]?.run(world.as(owner.viewer), { ...more, of }) ?? expect.fail(`no ${command}`);
  const folder = mkdtempSync(join(tmpdir(), 'legal-'));
  const [en, de] = [join(folder, 'en.md'), join(folder, 'de.md')];
  writeFileSync(en, '# Imprint\n\nA company');
  writeFileSync(de, '# Impressum\n\nEine Firma');
  expect(await run('legal-publish', 'imprint', { en, de, reason: 'New address' })).toMatch(/^IMPRINT 2 holds from /);
  expect(await run('legal-texts')).toMatch(/IMPRINT\t2\t\S+\tde,en\tNew address/);
  await expect(run('legal-publish', 'imprint', { en: join(folder, 'none.md') })).rejects.toThrow('names a file');
  await expect(run('legal-publish', 'rules', { en })).rejects.toThrow('terms, privacy, imprint');
  rmSync(folder, { recursive: true });
});
