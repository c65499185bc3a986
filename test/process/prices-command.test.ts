// `npm run prices` beside a running platform: staff set, read and end the price of an account, which its API key pays at once; others are refused.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceRoles } from '../../subgraphs/accounts/identity/entities/staff-role.ts';
import { COMPILED } from '../kit/child.ts';
import type { SeededAccount } from '../kit/seed.ts';
import { type Stack, startStack } from '../kit/stack.ts';

let stack: Stack;
let staff: SeededAccount;
let customer: SeededAccount;
beforeAll(async () => {
  // The command has the clock of the machine.
  stack = await startStack({ at: new Date(Date.now() + 300_000) });
  staff = await stack.seed.account({ role: 'STAFF' });
  customer = await stack.seed.account();
}, 400_000);
afterAll(() => stack.close());

const root = fileURLToPath(new URL('../..', import.meta.url));
const prices = (...words: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const { DATA_DIR } = stack.platform.config;
    const env = {
      ...COMPILED,
      ENV_FILE: '/dev/null',
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: stack.database.url,
      DATA_DIR,
    };
    execFile(process.execPath, [`${root}prices.ts`, ...words, '--by', staff.email], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out: out.trim(), err: err.trim() }),
    );
  });
const set = (item: string, price: string, ...more: string[]) =>
  prices('set', customer.email, '--item', item, '--price', price, '--reason', 'agreed', ...more);

test('what is set by command is what a key is offered, and ended it is the catalogue again', async () => {
  const { authorization } = await customer.apiKey({ scopes: ['read', 'plans'] });
  const costs = async () => {
    const answer = await fetch(`${stack.url}/v1/offers/residential`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ product: 'premium', gigabytes: 10 }),
    });
    return ((await answer.json()) as { data: { total: number } }).data.total;
  };
  expect(await costs()).toBe(4_500);
  const preview = await prices('preview', customer.email, '--item', 'residential.PREMIUM', '--price', '12.5%');
  expect(preview.out).toMatch(/^\S+Z\t1: 4\.38, 10: 3\.94, 50: 3\.50, 250: 2\.98$/);
  expect(await costs()).toBe(4_500);
  const made = await set('residential.PREMIUM', '12.5%', '--tell', 'no');
  expect(made, made.err).toMatchObject({ code: 0 });
  const [id = '', item, value] = made.out.split('\t');
  expect([item, value]).toEqual(['residential.PREMIUM', '12.50%']);
  expect(await costs()).toBe(3_940);
  expect((await prices('list', customer.id)).out).toContain(`${id}\tresidential.PREMIUM\t12.50%`);
  const ofItem = async (name: string) => (await prices('list', customer.id, '--item', name)).out;
  expect(await ofItem('residential.PREMIUM')).toContain(id);
  expect(await ofItem('residential.MOBILE')).toBe('');
  expect((await prices('end', id, '--item', 'residential.PREMIUM')).out).toContain('\tPAST\t');
  // The setting was not to be told; the end is.
  const mail = await stack.sandbox.mail.waitFor({ to: customer.email, subject: 'Your price has ended: Premium' });
  expect(mail.text).toContain('5.00 USD per GB from 1 GB');
  expect(stack.sandbox.mail.messages(customer.email).filter(({ subject }) => subject.startsWith('A price of your own'))).toEqual([]);
  expect(await costs()).toBe(4_500);
}, 400_000);

test('wrong words are told in a sentence', async () => {
  expect(await set('static.nothing', '10%')).toMatchObject({ code: 1, err: expect.stringContaining('no such item with a price') });
  expect(await set('nothing', '10%')).toMatchObject({ code: 1, err: expect.stringContaining('--item is an item of the catalogue') });
  expect(await set('static.datacenter', '1,10')).toMatchObject({ code: 1, err: expect.stringContaining('written as 2.40') });
  expect(await set('static.datacenter', '1.10', '--running', 'maybe')).toMatchObject({ code: 1, err: '--running is yes or no.' });
  expect(await set('static.datacenter', '1.10', '--tell', 'maybe')).toMatchObject({ code: 1, err: '--tell is yes or no.' });
  expect(await prices('raise', customer.email)).toMatchObject({ code: 1, err: expect.stringContaining('Usage: npm run --silent prices') });
}, 400_000);

test('support may read them, and sets none', async () => {
  const { em } = stack.subgraphs.accounts.systemContext('test');
  await replaceRoles(em, staff.id, { roles: ['SUPPORT'], givenAt: stack.clock.now(), givenBy: null });
  expect(await set('static.datacenter', '1.10')).toMatchObject({ code: 1, err: expect.stringContaining('account_prices') });
  expect(await prices('list', customer.email)).toMatchObject({ code: 0 });
}, 400_000);
