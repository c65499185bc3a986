import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientAddress } from '../../../gateway/http/client-address.ts';

describe('the client’s address', () => {
  const address = (trustedHops: number, forwarded?: string) =>
    clientAddress(
      { socket: { remoteAddress: '127.0.0.1' }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
      trustedHops,
    );
  test.each([
    [0, undefined, '127.0.0.1'],
    [0, '203.0.113.9', '127.0.0.1'],
    [1, '203.0.113.9', '203.0.113.9'],
    [1, '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    [2, '198.51.100.1, 203.0.113.9', '198.51.100.1'],
    [2, '10.0.0.1, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
    [1, 'unknown', '127.0.0.1'],
    [1, undefined, '127.0.0.1'],
    [1, '2001:db8::7', '2001:db8::7'],
    [1, '::ffff:203.0.113.9', '203.0.113.9'],
    [1, '::ffff:cb00:7109', '203.0.113.9'],
  ])('with %d trusted proxies and X-Forwarded-For %s is %s', (hops, forwarded, expected) => {
    expect(address(hops, forwarded)).toBe(expected);
  });
});
