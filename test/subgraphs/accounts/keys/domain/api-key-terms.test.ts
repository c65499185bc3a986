import { expect, test } from 'vitest';
import { checkTerms, isAllowedFrom } from '../../../../../subgraphs/accounts/keys/domain/api-key-terms.ts';

test('a standard key reads and generates, from anywhere', () => {
  expect(checkTerms({ kind: 'STANDARD' })).toEqual({ kind: 'STANDARD', scopes: ['read', 'generate'], allowedAddresses: [] });
  expect(() => checkTerms({ kind: 'STANDARD', scopes: ['read'] })).toThrow('neither scopes nor addresses');
  expect(() => checkTerms({ kind: 'STANDARD', allowedAddresses: ['192.0.2.1'] })).toThrow('neither scopes nor addresses');
});

test('a partner key has scopes and addresses of its own, each once', () => {
  expect(
    checkTerms({ kind: 'PARTNER', scopes: ['read', 'servers', 'read'], allowedAddresses: [' 192.0.2.1 ', '192.0.2.1', '2001:db8::/32'] }),
  ).toEqual({
    kind: 'PARTNER',
    scopes: ['read', 'servers'],
    allowedAddresses: ['192.0.2.1', '2001:db8::/32'],
  });
  expect(() => checkTerms({ kind: 'PARTNER' })).toThrow('at least one scope');
  expect(() => checkTerms({ kind: 'PARTNER', scopes: [] })).toThrow('at least one scope');
});

test.each(['', 'example.com', '192.0.2.1/33', '192.0.2.256', '2001:db8::/129', '192.0.2.1-9', '*'])('%j is no address', (address) => {
  expect(() => checkTerms({ kind: 'PARTNER', scopes: ['read'], allowedAddresses: [address] })).toThrow('neither an address nor a network');
});

test('at most fifty addresses', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index}`);
  expect(checkTerms({ kind: 'PARTNER', scopes: ['read'], allowedAddresses: addresses(50) }).allowedAddresses).toHaveLength(50);
  expect(() => checkTerms({ kind: 'PARTNER', scopes: ['read'], allowedAddresses: addresses(51) })).toThrow('At most 50');
});

test.each([
  [[], '192.0.2.1', true],
  [[], 'not an address', true],
  [['192.0.2.1'], '192.0.2.1', true],
  [['192.0.2.1'], '::ffff:192.0.2.1', true],
  [['::ffff:192.0.2.1'], '192.0.2.1', true],
  [['192.0.2.1'], '192.0.2.2', false],
  [['192.0.2.0/24'], '192.0.2.255', true],
  [['192.0.2.0/24'], '192.0.3.0', false],
  [['192.0.2.0/24'], '2001:db8::1', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8:0:0::1'], '2001:db8::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['0.0.0.0/0'], '198.51.100.7', true],
  [['192.0.2.1', '198.51.100.0/24'], '198.51.100.7', true],
  [['192.0.2.1'], 'not an address', false],
])('a key bound to %j from %s: %s', (allowed, address, works) => {
  expect(isAllowedFrom(allowed, address)).toBe(works);
});
