import { expect, test } from 'vitest';
import { readProxyLine } from '#lines/read-proxy-line.ts';

const LINE = { scheme: null, host: 'proxy.test', port: 8080, username: 'ab12-country-us', password: 'S3cret' };

test.each([
  ['proxy.test:8080:ab12-country-us:S3cret', LINE],
  ['  PROXY.test:8080:ab12-country-us:S3cret\n', LINE],
  ['ab12-country-us:S3cret:proxy.test:8080', LINE],
  ['ab12-country-us:S3cret@proxy.test:8080', LINE],
  ['proxy.test:8080@ab12-country-us:S3cret', LINE],
  ['proxy.test:8080 ab12-country-us S3cret', LINE],
  ['proxy.test,8080,ab12-country-us,S3cret', LINE],
  ['proxy.test|8080|ab12-country-us|S3cret', LINE],
  ['http://ab12-country-us:S3cret@proxy.test:8080/', { ...LINE, scheme: 'http' }],
  ['HTTPS://ab12-country-us:S3cret@proxy.test:8080', { ...LINE, scheme: 'https' }],
  ['socks5h://ab12-country-us:S3cret@proxy.test:8080', { ...LINE, scheme: 'socks5' }],
  ['socks5://proxy.test:8080:ab12-country-us:S3cret', { ...LINE, scheme: 'socks5' }],
  ['http://ab12%2Dcountry-us:S3cret@[2001:db8::1]:8080', { ...LINE, scheme: 'http', host: '[2001:db8::1]' }],
  ['[2001:db8::1]:8080:ab12-country-us:S3cret', { ...LINE, host: '[2001:db8::1]' }],
])('%s', (typed, read) => {
  expect(readProxyLine(typed)).toEqual(read);
});

test.each([
  '',
  'hello',
  'proxy.test:8080',
  'proxy.test:99999:a:b',
  'a:b@proxy.test',
  'a:b:c:d:e',
  'ftp://a:b@proxy.test:1',
  'x'.repeat(2_000),
  '@',
  ':::',
  'http://',
])('%s is no line', (typed) => {
  expect(readProxyLine(typed)).toBeUndefined();
});
