import { expect, test } from 'vitest';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { configPart, readConfig as readParts } from '#platform/config.ts';
import { flag } from '#platform/config-values.ts';
import { readConfig } from '../../../../configuration.ts';
import { edgeConfiguration } from '../../../../edge/configuration.ts';
import { meteringConfiguration } from '../../../../subgraphs/residential/metering/configuration.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://egress.example',
  DATABASE_URL: 'postgres://localhost/egress',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRETS: 'whsec_x',
  SMTP_URL: 'smtp://localhost',
  SELLER_NAME: 'Lines Ltd',
  SELLER_ADDRESS: '1 Street;Town',
  SELLER_COUNTRY: 'DE',
  SELLER_TAX_ID: 'DE123456789',
};

test('production starts with everything that it needs', () => {
  expect(commerceConfiguration.of(readConfig(PRODUCTION)).SELLER_ADDRESS).toEqual(['1 Street', 'Town']);
});

test.each(Object.keys(PRODUCTION).filter((name) => name !== 'NODE_ENV'))('production does not start without %s', (name) => {
  expect(() => readConfig({ ...PRODUCTION, [name]: undefined })).toThrow(`${name} must be set in production`);
});

test.each([
  ['POWERDNS_URL', 'POWERDNS_API_KEY'],
  ['VYOS_URL', 'VYOS_KEY'],
])('%s is of no use without %s', (url, key) => {
  expect(() => readConfig({ [url]: 'https://vendor.example' })).toThrow(`${key} must be set with ${url}`);
  expect(readConfig({ [url]: 'https://vendor.example', [key]: 'secret' })).toMatchObject({ [key]: 'secret' });
});

test('networks that no line may reach are addresses or CIDR', () => {
  expect(
    edgeConfiguration.of(readConfig({ EDGE_FORBIDDEN_NETWORKS: '203.0.113.9, 10.0.0.0/8,2001:db8::/32' })).EDGE_FORBIDDEN_NETWORKS,
  ).toEqual(['203.0.113.9', '10.0.0.0/8', '2001:db8::/32']);
  for (const wrong of ['localhost', '10.0.0.0/33', '2001:db8::/129', '10.0.0.0/8/8', 'fe80::1%eth0'])
    expect(() => readConfig({ EDGE_FORBIDDEN_NETWORKS: wrong })).toThrow('EDGE_FORBIDDEN_NETWORKS must be addresses or networks');
});

test.each(['SANDBOX', 'DEMO'])('production refuses %s', (name) => {
  expect(() => readConfig({ ...PRODUCTION, [name]: 'true' })).toThrow(`${name} must not be true in production`);
});

test.each([
  ['127.0.0.1', 'http://localhost:4000'],
  ['0.0.0.0', 'http://localhost:4000'],
  ['::', 'http://localhost:4000'],
  ['192.0.2.7', 'http://192.0.2.7:4000'],
  ['2001:db8::7', 'http://[2001:db8::7]:4000'],
])('who listens on %s is reached at %s where nobody says otherwise', (HOST, url) => {
  expect(readConfig({ HOST }).PUBLIC_URL).toBe(url);
});

test('networks that report usage may be bound to products', () => {
  expect(
    meteringConfiguration.of(readConfig({ USAGE_SOURCES: 'net=a=b,mobile[MOBILE]=c,some[PREMIUM+ALT_RESIDENTIAL]=d' })).USAGE_SOURCES,
  ).toEqual({
    net: { secret: 'a=b' },
    mobile: { secret: 'c', products: ['MOBILE'] },
    some: { secret: 'd', products: ['PREMIUM', 'ALT_RESIDENTIAL'] },
  });
  for (const wrong of ['net', 'net[]=a', '[MOBILE]=a', 'net[mobile]=a', 'net[MOBILE=a', 'net[MOBILE+]=a'])
    expect(() => readConfig({ USAGE_SOURCES: wrong })).toThrow('USAGE_SOURCES must be name=');
});

test('a part reads its own variables, once it is gathered, and no two parts have the same', () => {
  const part = configPart({ SOME_FLAG: [flag.optional(), 'whether something is so'] });
  expect(part.of(readParts([part], { SOME_FLAG: 'true', HOST: '::1' }))).toEqual({ SOME_FLAG: true });
  expect(() => part.of(readConfig({}))).toThrow('the configuration was read without SOME_FLAG');
  expect(() => readParts([part, part], {})).toThrow('a variable belongs to two parts');
});

test.each([
  [{}, true],
  [{ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRETS: 'whsec_x', SMTP_URL: 'smtp://localhost' }, false],
  [{ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRETS: 'whsec_x' }, true],
  [{ SMTP_URL: 'smtp://localhost' }, true],
])('with %j the sandbox runs: %s', (environment, runs) => {
  expect(readConfig(environment).SANDBOX).toBe(runs);
});
