import { describe, expect, test } from 'vitest';
import type { Composition } from '#platform/composition.ts';
import { secretsOf } from '#platform/secrets.ts';
import { composition } from '../../../../configuration.ts';
import { composition as accounts } from '../../../../subgraphs/accounts/composition.ts';
import { composition as compute } from '../../../../subgraphs/compute/composition.ts';
import { metalVendor } from '../../../../subgraphs/compute/machines/configuration.ts';
import { composition as residential } from '../../../../subgraphs/residential/composition.ts';
import { composition as staticProxies } from '../../../../subgraphs/static/composition.ts';

const ALONE = Object.entries({ accounts, residential, static: staticProxies, compute });
const CREDENTIALS = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRETS: 'whsec_x', SMTP_URL: 'smtp://localhost' };
const SELLER = { SELLER_NAME: 'Lines Ltd', SELLER_ADDRESS: '1 Street', SELLER_COUNTRY: 'DE', SELLER_TAX_ID: 'DE123456789' };
const PRODUCTION = {
  NODE_ENV: 'production',
  SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://egress.example',
  DATABASE_URL: 'postgres://localhost/egress',
  ...SELLER,
};
const ENVIRONMENTS: [words: string, environment: Record<string, string | undefined>][] = [
  ['with nothing', {}],
  ['with all credentials', CREDENTIALS],
  ...['STRIPE_SECRET_KEY', 'SMTP_URL'].map((name): [string, Record<string, string | undefined>] => [
    `with all but ${name}`,
    { ...CREDENTIALS, [name]: undefined },
  ]),
  ['in production', { ...PRODUCTION, ...CREDENTIALS }],
];

describe.each(ALONE)('%s by itself', (_name, { readConfig }: Composition) => {
  test.each(ENVIRONMENTS)('finds the sandbox where the whole starts it, %s', (_words, environment) => {
    expect(readConfig(environment).SANDBOX).toBe(composition.readConfig(environment).SANDBOX);
  });

  test('refuses a wrong value of all, and passes over names that nobody knows', () => {
    expect(() => readConfig({ PORT: 'four' })).toThrow('PORT');
    expect(() => readConfig({ TAX_RATES: 'DE' })).toThrow('TAX_RATES');
    expect(readConfig({ SOMETHING_ELSE: 'x' })).not.toHaveProperty('SOMETHING_ELSE');
  });
});

test('a subgraph by itself needs no credentials of vendors that it does not call', () => {
  for (const { readConfig } of [residential, staticProxies, compute]) expect(readConfig(PRODUCTION).SANDBOX).toBe(false);
  expect(() => accounts.readConfig(PRODUCTION)).toThrow('STRIPE_SECRET_KEY must be set in production');
});

test('a command of a subgraph is told the same credentials of the sandbox as the whole', () => {
  const of = ({ readConfig, vendorsOf }: Composition) => {
    const config = readConfig({ SECRET: 'x'.repeat(32) });
    return vendorsOf(config, secretsOf(config)).of(metalVendor);
  };
  expect(of(compute)).toEqual(of(composition));
  expect(of(compute)).toBeDefined();
});
