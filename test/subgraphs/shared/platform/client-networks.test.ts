import { expect, test } from 'vitest';
import { toNetwork } from '#platform/client-networks.ts';
import { Failure } from '#platform/errors.ts';
import { isPublicAddress } from '#platform/public-address.ts';

test.each([
  ['93.184.216.34', '93.184.216.34/32'],
  [' 93.184.216.34/24 ', '93.184.216.0/24'],
  ['2606:2800:220:1::7/64', '2606:2800:220:1::/64'],
  ['2606:2800:220:1::7', '2606:2800:220:1::7/128'],
  ['::ffff:93.184.216.34', '93.184.216.34/32'],
  ['::ffff:93.184.216.34/120', '93.184.216.0/24'],
])('%s is %s', (typed, network) => {
  expect(toNetwork(typed, isPublicAddress)).toBe(network);
});

test.each(
  // Refused: nothing, a name, another notation, a wrong prefix length, more than a network, too wide, private, special use, a cloud's own.
  [
    ['', 'localhost', '0177.0.0.1', '2130706433', '127.1', '93.184.216.34/', '93.184.216.34/33', '93.184.216.34/-1', '1.2.3.4/24/24'],
    ['fe80::1%eth0', '93.184.216.0/23', '2606:2800::/47', '0.0.0.0/0', '::/0', '::ffff:0:0/96'],
    ['10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '192.168.1.0/24', '168.63.129.16', '::1', 'fc00::/48', '2002::/48'],
  ].flat(),
)('%s is refused', (typed) => {
  expect(() => toNetwork(typed, isPublicAddress)).toThrow(Failure);
});

test('in development a loopback address is accepted', () => {
  expect(toNetwork('127.0.0.1', () => true)).toBe('127.0.0.1/32');
  expect(() => toNetwork('10.0.0.0/8', () => true)).toThrow(Failure);
});
