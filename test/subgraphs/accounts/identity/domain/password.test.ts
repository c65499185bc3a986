import { expect, test } from 'vitest';
import { MOST_USED_PASSWORDS } from '../../../../../subgraphs/accounts/identity/domain/most-used-passwords.ts';
import { checkPassword } from '../../../../../subgraphs/accounts/identity/domain/password.ts';

const refused = (password: string, email = 'ada@example.com') => {
  try {
    checkPassword(password, email);
    return false;
  } catch {
    return true;
  }
};

test.each([
  '',
  'seven77',
  'x'.repeat(129),
  'password',
  'PassWord1',
  'qwertyuiop',
  'Ada@Example.com',
  'egress2026',
  'Proxies!1',
  'residential',
])('%j is refused', (password) => {
  expect(refused(password)).toBe(true);
});

test.each(['eight-88', 'x'.repeat(128), 'пароль-другой', '🔑🔑🔑🔑🔑🔑🔑🔑', ' spaces count ', 'egress gateway at dawn'])(
  '%j is accepted',
  (password) => {
    expect(refused(password)).toBe(false);
  },
);

test('at least the 3,000 most used passwords of the right length are refused', () => {
  expect(MOST_USED_PASSWORDS.size).toBeGreaterThanOrEqual(3_000);
  expect([...MOST_USED_PASSWORDS].filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([]);
});
