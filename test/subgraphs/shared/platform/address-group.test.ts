import { expect, test } from 'vitest';
import { addressGroup, addressSite } from '#platform/address-group.ts';

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::7', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:0db8:0001::', '2001:db8:1:0::/64', '2001:db8:1::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ['2001:db8::ffff:203.0.113.9', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['unknown', 'unknown', 'unknown'],
  ['', '', ''],
])('the client at %s is counted as %s and, for ceilings, as %s', (address, group, site) => {
  expect(addressGroup(address)).toBe(group);
  expect(addressSite(address)).toBe(site);
});
