import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLeakedPasswords } from '../../../../../subgraphs/accounts/identity/providers/leaked-passwords.ts';
import { type AccountsWorld, codeOf, startAccounts, visitor } from '../../world.ts';

const folder = mkdtempSync(join(tmpdir(), 'egress-leaks-'));
const closings: (() => Promise<void>)[] = [];
const LEAKED = Array.from({ length: 500 }, (_, index) => `a leaked password ${index}`);
const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();
const hashes = LEAKED.map(sha1).sort();

function fileOf(name: string, lines: string[], end = '\n'): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join(end));
  return path;
}
const open = (path: string) => openLeakedPasswords(path, (close) => closings.push(close));

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts({ LEAKED_PASSWORDS_FILE: fileOf('served.txt', hashes) });
});
afterAll(async () => {
  await world.close();
  for (const close of closings) await close();
  rmSync(folder, { recursive: true });
});

test.each([
  ['as it is downloaded, with counts of any width', hashes.map((hash, index) => `${hash}:${10 ** (index % 8)}`), '\r\n'],
  ['with bare hashes', hashes, '\n'],
  ['with a line end at its end', [...hashes.map((hash) => `${hash}:1`), ''], '\n'],
  ['with one line', hashes.slice(0, 1), '\n'],
])('a file %s: every password in it is found, and no other', async (name, lines, end) => {
  const leaked = open(fileOf(`${name}.txt`, lines, end));
  const inside = new Set(lines.map((line) => line.slice(0, 40)));
  for (const password of LEAKED) expect(await leaked.has(password), password).toBe(inside.has(sha1(password)));
  for (let index = 0; index < 200; index++) expect(await leaked.has(`another password ${index}`)).toBe(false);
});

test('a file of another kind stops the start, with a sentence', () => {
  expect(() => open(fileOf('plain.txt', LEAKED))).toThrow('The configuration is wrong: LEAKED_PASSWORDS_FILE must be lines of SHA-1:COUNT');
});

test('nobody signs up, or changes to, a password of a published leak', async () => {
  const signUp = (password: string) =>
    world.ask(visitor(), 'mutation ($input: SignUpInput!) { accountSignUp(input: $input) { email } }', {
      input: { email: 'ann@example.com', password },
    });
  const refused = await signUp('a leaked password 7');
  expect(codeOf(refused)).toBe('password_unfit');
  expect(refused.errors?.[0]?.message).toBe('This password stands in published leaks. Choose another one.');
  expect(codeOf(await signUp('no leaked password 7'))).toBeUndefined();
  const { viewer } = await world.account('ben@example.com');
  const change = 'mutation ($password: String!) { accountChangePassword(current: "correct horse battery", password: $password) { id } }';
  expect(codeOf(await world.ask(viewer, change, { password: 'a leaked password 499' }))).toBe('password_unfit');
  expect(codeOf(await world.ask(viewer, change, { password: 'no leaked password' }))).toBeUndefined();
});
