import { expect, test } from 'vitest';
import { lineWarnings } from '../../../edge/protocol/configuration.ts';
import { readConfig } from '../../../configuration.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET: 's'.repeat(40),
  PUBLIC_URL: 'https://shop.example',
  DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
  SMTP_URL: 'smtp://127.0.0.1',
  STRIPE_SECRET_KEY: 'sk_live_x',
  STRIPE_WEBHOOK_SECRETS: 'whsec_x',
  SELLER_NAME: 'Shop',
  SELLER_ADDRESS: 'Street 1; City',
  SELLER_COUNTRY: 'DE',
  SELLER_TAX_ID: 'DE123456789',
  PROXY_HOST: 'proxy.shop.example',
};
const warnings = (environment: Record<string, string>, nodes: number) => lineWarnings(readConfig({ ...PRODUCTION, ...environment }), nodes);

test('in production there is a warning if PROXY_HOST is the customer’s own machine', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
    expect(warnings({ PROXY_HOST: host }, 1)).toEqual([
      `PROXY_HOST is ${host}: the lines that are sold lead to the customer's own machine. Set the name of the proxy nodes.`,
    ]);
  expect(warnings({}, 1)).toEqual([]);
});

test('in production there is a warning without a proxy node', () => {
  expect(warnings({}, 0)).toEqual([expect.stringContaining('No proxy node carries the lines that are sold')]);
  expect(warnings({ EDGE: 'true', EDGE_EXITS_FILE: '/exits.json' }, 0)).toEqual([]);
});

test('in production there is a warning if tests of lines ask the very machine that its node leads nobody to', () => {
  const asks = (environment: Record<string, string>) => lineWarnings(readConfig({ ...PRODUCTION, ...environment }), 1, true);
  expect(asks({ EDGE: 'true' })).toEqual([expect.stringContaining('https://shop.example/visitor')]);
  expect(asks({})).toEqual([]);
});

test('in development there are no warnings', () => {
  expect(lineWarnings(readConfig({}), 0, true)).toEqual([]);
});
