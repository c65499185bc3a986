import { afterAll, beforeAll, expect, test } from 'vitest';
import { priceOffer } from '#commerce/offers.ts';
import { TestClock } from '#platform/clock.ts';
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

test('the price is taxed by the country of the billing details, as it is when the price is asked for', async () => {
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

test('an offer is never below nothing', () => {
  const terms = { id: 'off_1', accountId: 'acct_1', seller: 'compute' as const, title: 'x', currency: 'USD', fulfil: {} };
  expect(() => priceOffer({ ...terms, lines: [{ label: 'x', quantity: 1, amountMinor: -1 }] }, 0, new TestClock())).toThrow(RangeError);
});
