import { expect, test } from 'vitest';
import { formatMoney } from '#commerce/money.ts';
import { DEDICATED_PLANS } from '../../../../../subgraphs/compute/catalogue/domain/dedicated-plan.ts';
import type { ServerPrice } from '../../../../../subgraphs/compute/catalogue/domain/server-price.ts';
import { VPS_PRICES, isLarger } from '../../../../../subgraphs/compute/catalogue/domain/vps-plan.ts';

const { plans: VPS_PLANS } = VPS_PRICES;
const table = (prices: ServerPrice[]) =>
  prices.map(({ months, perMonth, upfront }) => `${months}: ${formatMoney(perMonth)}, ${formatMoney(upfront)}`);

test('VPS plans and prices are those of the specification', () => {
  expect(VPS_PLANS.map(({ name, vcpu, ramGb, storageGb, prices }) => [name, vcpu, ramGb, storageGb, ...table(prices)])).toEqual([
    ['Plank', 8, 16, 100, '1: 32.00 USD, 32.00 USD', '3: 29.00 USD, 87.00 USD', '6: 28.33 USD, 169.98 USD'],
    ['Broglie', 12, 24, 120, '1: 44.00 USD, 44.00 USD', '3: 39.67 USD, 119.01 USD', '6: 39.00 USD, 234.00 USD'],
    ['Einstein', 16, 32, 150, '1: 64.00 USD, 64.00 USD', '3: 58.00 USD, 174.00 USD', '6: 56.67 USD, 340.02 USD'],
  ]);
});

test('dedicated plans and prices, cheaper a month the longer the period', () => {
  expect(DEDICATED_PLANS.map(({ name, cores, ramGb, storage, prices }) => [name, cores, ramGb, storage, ...table(prices)])).toEqual([
    ['Faraday', 8, 64, '2 x 1 TB NVMe', '1: 89.00 USD, 89.00 USD', '3: 84.00 USD, 252.00 USD', '6: 79.00 USD, 474.00 USD'],
    ['Noether', 12, 96, '2 x 2 TB NVMe', '1: 129.00 USD, 129.00 USD', '3: 122.00 USD, 366.00 USD', '6: 115.00 USD, 690.00 USD'],
    ['Curie', 16, 128, '2 x 4 TB NVMe', '1: 179.00 USD, 179.00 USD', '3: 169.00 USD, 507.00 USD', '6: 159.00 USD, 954.00 USD'],
  ]);
});

test('a plan is larger than those before it only', () => {
  const larger = VPS_PLANS.flatMap((from) =>
    VPS_PLANS.filter((to) => isLarger(to.code, from.code)).map((to) => `${from.name} to ${to.name}`),
  );
  expect(larger).toEqual(['Plank to Broglie', 'Plank to Einstein', 'Broglie to Einstein']);
});
