// The answers of paths before any script runs: pages, unknown pages, and requests by programs.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../kit/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack?.close());

const answer = async (path: string) => {
  const response = await fetch(stack.url + path);
  await response.arrayBuffer();
  return [response.status, response.headers.get('content-type')?.split(';')[0]];
};

test.each(['/', '/sign-in', '/recover', '/home', '/residential/plan_1', '/settings', '/settings/confirm', '/support/accounts/acct_1'])(
  '%s is a page',
  async (path) => {
    expect(await answer(path)).toEqual([200, 'text/html']);
  },
);

test.each(['/no-such-page', '/homepage', '/residentials/1'])('%s is a page that says that the page does not exist', async (path) => {
  expect(await answer(path)).toEqual([404, 'text/html']);
});

test.each(['/no-such-file.js', '/_app/none', '/v9/none', '/invoices/inv_none.pdf'])('%s is a 404 for programs', async (path) => {
  expect(await answer(path)).toEqual([404, 'application/json']);
});
