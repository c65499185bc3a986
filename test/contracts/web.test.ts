// Rules of the dashboard, so that reviewers need not remember them. Each has a pattern that breaks it, and the files that may.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { FilledAccount } from '../browser/filled-account.ts';
import { CUSTOMER_PAGES, PUBLIC_PAGES, SUPPORT_PAGES } from '../browser/pages.ts';

const ROOT = fileURLToPath(new URL('../../web/src/', import.meta.url));
const files = globSync('**/*.{ts,svelte}', { cwd: ROOT })
  .filter((path) => !path.endsWith('.d.ts'))
  .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }));

const RULES: [title: string, offence: RegExp, allowed: RegExp, example: string][] = [
  [
    'what changes something goes through `operation`, with its busy state, its failure and its toast',
    /\.mutation\(|\bexecuteMutation\(/,
    /^lib\/operation\.svelte\.ts$/,
    'await client.mutation(OrderPlace, variables)',
  ],
  [
    'ways to pay are told apart by their table',
    /[!=]== '(CARD|CRYPTO|BANK_TRANSFER)'|case '(CARD|CRYPTO|BANK_TRANSFER)'|\b(CRYPTO|BANK_TRANSFER)\b/,
    /^lib\/(payment-methods\/\w|text\/\w+\/payment-methods\.ts$)/,
    "{#if order.method === 'CARD'}",
  ],
];

describe.each(RULES)('%s', (_, offence, allowed, example) => {
  test('holds', () => {
    expect(files.filter(({ path, text }) => !allowed.test(path) && offence.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('finds an example of a breach, and the allowed files exist', () => {
    expect(example).toMatch(offence);
    expect(files.some(({ path, text }) => allowed.test(path) && offence.test(text))).toBe(true);
  });
});

describe('no file has more than 300 lines', () => {
  const long = (all: readonly { path: string; text: string }[]) =>
    all.filter(({ text }) => text.trimEnd().split('\n').length > 300).map(({ path }) => path);

  test('holds', () => {
    expect(long(files)).toEqual([]);
  });

  test('finds an example of a breach', () => {
    expect(long([{ path: 'lib/x.ts', text: `${'\n'.repeat(300)}x` }])).toEqual(['lib/x.ts']);
  });
});

describe('every page is checked and has a snapshot', () => {
  /** Routes such as `/residential/[id]`, without route groups. */
  const routes = globSync('routes/**/+page.svelte', { cwd: ROOT }).map(
    (path) => path.replaceAll(/^routes|\/\([a-z]+\)|\/\+page\.svelte$/g, '') || '/',
  );
  // Each id of the account becomes one segment of a URL.
  const thing = new Proxy({} as FilledAccount, { get: () => 'a-thing' });
  const addresses = [...PUBLIC_PAGES, ...CUSTOMER_PAGES, ...SUPPORT_PAGES].map(([, path]) => path(thing).replace(/[?#].*/, ''));

  const missing = (all: readonly string[]) =>
    routes.filter((route) => !all.some((address) => new RegExp(`^${route.replaceAll(/\[[a-z]+\]/g, '[^/]+')}$`).test(address)));

  test('has its row in `test/browser/pages.ts`', () => {
    expect(missing(addresses)).toEqual([]);
  });

  test('is reported if it has none', () => {
    expect(missing(addresses.filter((address) => address !== '/home'))).toEqual(['/home']);
  });
});
