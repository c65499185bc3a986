import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { priceOffer } from '#commerce/offers.ts';
import { rateOf } from '#commerce/tax.ts';
import { TestClock } from '#platform/clock.ts';
import { readConfig } from '../../../../configuration.ts';
import { askAs } from '../../../kit/dashboard.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ environment: { TAX_RATES: 'DE=19,FR=20' } });
});
afterAll(() => stack.close());

const OFFER = '{ residentialOffer(product: PREMIUM, gigabytes: 5) { subtotal { amountMinor } tax { amountMinor } total { amountMinor } } }';
const SET = (country: string) =>
  `mutation { billingDetailsSet(input: { name: "Ada", address: ["1 Street"], country: "${country}" }) { country } }`;

test('the price is taxed by the country that the billing details have when the price is requested', async () => {
  const cookie = await (await stack.seed.account()).cookie();
  const ask = askAs(stack.url, cookie);
  const tax = async () => {
    const { residentialOffer } = (await ask(OFFER)) as {
      residentialOffer: Record<'subtotal' | 'tax' | 'total', { amountMinor: number }>;
    };
    expect(residentialOffer.total.amountMinor).toBe(residentialOffer.subtotal.amountMinor + residentialOffer.tax.amountMinor);
    return residentialOffer.tax.amountMinor / residentialOffer.subtotal.amountMinor;
  };
  expect(await tax()).toBe(0);
  for (const [country, rate] of [
    ['DE', 0.19],
    ['FR', 0.2],
    ['US', 0],
  ] as const) {
    await ask(SET(country));
    await stack.settle();
    expect(await tax()).toBeCloseTo(rate, 3);
  }
});

test('an offer is never negative', () => {
  const terms = { id: 'off_1', accountId: 'acct_1', seller: 'compute' as const, title: 'x', currency: 'USD', fulfil: {} };
  expect(() => priceOffer({ ...terms, lines: [{ label: 'x', quantity: 1, amountMinor: -1 }] }, 0, new TestClock())).toThrow(RangeError);
});

describe('TAX_RATES', () => {
  const ratesOf = (text: string) => commerceConfiguration.of(readConfig({ TAX_RATES: text, SANDBOX: 'true' })).TAX_RATES ?? {};

  test('gives each country its rate of the day, and the rate without a day before the first dated one', () => {
    const rates = ratesOf('HU=27,DE=16@2020-07-01,DE=19,DE=19@2021-01-01');
    expect(
      ['2020-06-30T23:59:59Z', '2020-07-01T00:00:00Z', '2020-12-31T23:59:59Z', '2021-01-01T00:00:00Z'].map((at) =>
        rateOf(rates, 'DE', new Date(at)),
      ),
    ).toEqual([1_900, 1_600, 1_600, 1_900]);
    expect(['HU', 'US', null].map((country) => rateOf(rates, country, new Date('2026-01-01')))).toEqual([2_700, 0, 0]);
  });

  test.each([
    'DE',
    'DE=',
    'de=19',
    'DE=19.123',
    'DE=190',
    'DE=19@',
    'DE=19@2026-02-30',
    'DE=19@tomorrow',
    'DE=19,DE=20',
    'DE=1@2026-01-01,DE=2@2026-01-01',
  ])('refuses %s', (text) => {
    expect(() => ratesOf(text)).toThrow(/TAX_RATES/);
  });
});
