import { expect, test } from 'vitest';
import { sandboxAccess, sandboxTerms } from '#platform/sandbox-terms.ts';

const CONFIG = { SANDBOX_PORT: 4010 };
const SECRETS = { sandbox: '0123456789abcdef'.repeat(4) };

test('no secret of the sandbox is another, or a part of another', () => {
  const { ports: _, usageSource: _source, cryptoStore: _store, chatClientId: _client, ...credentials } = sandboxTerms(CONFIG, SECRETS);
  const secrets = Object.values(credentials).map((value) => value.replace(/^(sk_test_|whsec_|.*=)/, ''));
  for (const secret of secrets) expect(secrets.filter((other) => other.includes(secret.slice(0, 16)))).toEqual([secret]);
});

test('controllers of machines that the first release took into stock know the password that they were noted with', () => {
  const { controllerPassword, formerControllerPassword } = sandboxTerms(CONFIG, SECRETS);
  expect(formerControllerPassword).toBe('6789abcdef0123456789abcdef012345');
  expect(controllerPassword).toMatch(/^[0-9a-f]{32}$/);
  expect(SECRETS.sandbox).not.toContain(controllerPassword);
});

test('who calls it is told what it listens on and accepts, by name, and of nothing else', () => {
  const { port, url, accepts } = sandboxAccess(CONFIG, SECRETS);
  expect([port('router'), url('card'), accepts('chatClientId')]).toEqual([4023, 'http://127.0.0.1:4010', 'egress']);
  for (const ask of [port, url, accepts]) expect(() => ask('toString')).toThrow('the sandbox has no toString');
});
