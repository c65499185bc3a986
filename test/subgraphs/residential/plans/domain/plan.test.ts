import { describe, expect, test } from 'vitest';
import { after } from '#platform/clock.ts';
import { GB, MB } from '#platform/data-size.ts';
import type { Failure } from '#platform/errors.ts';
import { RESIDENTIAL_CATALOGUE, toProducts } from '../../../../../subgraphs/residential/plans/domain/catalogue.ts';
import { checkDailyLimit } from '../../../../../subgraphs/residential/plans/domain/daily-limit.ts';
import { availableActions } from '../../../../../subgraphs/residential/plans/domain/plan-actions.ts';
import { type UsageFacts, planEndOf, statusOf } from '../../../../../subgraphs/residential/plans/domain/plan-status.ts';
import { DEFAULT_PRODUCTS, perGb } from '../../../../../subgraphs/residential/plans/domain/products.ts';
import { PRODUCT_CODES } from '../../../../../edge/protocol/product.ts';
import { valuesOf } from '../../../../kit/catalogue.ts';

const soldBy = (file: unknown) => toProducts(valuesOf('residential', RESIDENTIAL_CATALOGUE, file));

const NOON = new Date('2026-01-15T12:00:00Z');
const facts = (over: Partial<UsageFacts> = {}): UsageFacts => ({
  totalBytes: 10n * GB,
  upBytes: 0n,
  downBytes: 0n,
  dailyLimitBytes: null,
  usedTodayBytes: 0n,
  withdrawn: false,
  validUntil: null,
  asOf: NOON,
  ...over,
});

test.each([
  ['a new plan', facts(), 'ACTIVE'],
  ['one byte left', facts({ downBytes: 10n * GB - 1n }), 'ACTIVE'],
  ['nothing left, up and down together', facts({ upBytes: 4n * GB, downBytes: 6n * GB }), 'EXPIRED'],
  ['more used than sold', facts({ downBytes: 11n * GB }), 'EXPIRED'],
  ['taken back by support', facts({ withdrawn: true }), 'EXPIRED'],
  ['one byte below the limit of the day', facts({ dailyLimitBytes: GB, downBytes: GB - 1n, usedTodayBytes: GB - 1n }), 'ACTIVE'],
  ['the limit of the day reached', facts({ dailyLimitBytes: GB, downBytes: GB, usedTodayBytes: GB }), 'PAUSED'],
  ['a limit and much use on other days', facts({ dailyLimitBytes: GB, downBytes: 5n * GB }), 'ACTIVE'],
  ['limit reached and nothing left', facts({ dailyLimitBytes: GB, downBytes: 10n * GB, usedTodayBytes: 2n * GB }), 'EXPIRED'],
  ['the last millisecond of its validity', facts({ validUntil: after(NOON, 1) }), 'ACTIVE'],
  ['the end of its validity', facts({ validUntil: NOON }), 'EXPIRED'],
])('%s: %s', (_title, given, expected) => {
  expect(statusOf(given)).toBe(expected);
});

test('a plan is over by the first reason: what was taken back, its validity, its use', () => {
  const [used, over] = [{ downBytes: 10n * GB }, { validUntil: NOON }];
  expect([facts(), facts(used), facts({ ...used, ...over }), facts({ ...used, ...over, withdrawn: true })].map(planEndOf)).toEqual([
    null,
    'USED_UP',
    'LAPSED',
    'WITHDRAWN',
  ]);
});

test('the matrix of actions is the documented one', () => {
  const rows = PRODUCT_CODES.flatMap((code) =>
    (['ACTIVE', 'PAUSED', 'EXPIRED'] as const).map((status) => {
      const actions = availableActions(status, DEFAULT_PRODUCTS[code]);
      return `${code} ${status}: ${actions
        .filter(({ allowed }) => allowed)
        .map(({ action }) => action)
        .join(', ')}`;
    }),
  );
  expect(rows).toEqual([
    'PREMIUM ACTIVE: reset_authentication, set_daily_limit, generate, top_up',
    'PREMIUM PAUSED: reset_authentication, set_daily_limit, generate, top_up',
    'PREMIUM EXPIRED: set_daily_limit, top_up',
    'PRIVATE_RESIDENTIAL ACTIVE: reset_authentication, generate, top_up',
    'PRIVATE_RESIDENTIAL PAUSED: reset_authentication, generate, top_up',
    'PRIVATE_RESIDENTIAL EXPIRED: top_up',
    'MOBILE ACTIVE: reset_authentication, generate, top_up',
    'MOBILE PAUSED: reset_authentication, generate, top_up',
    'MOBILE EXPIRED: top_up',
    'ALT_RESIDENTIAL ACTIVE: reset_authentication, generate, top_up',
    'ALT_RESIDENTIAL PAUSED: reset_authentication, generate, top_up',
    'ALT_RESIDENTIAL EXPIRED: top_up',
  ]);
});

test('a plan that was withdrawn completely cannot be topped up', () => {
  const verdict = availableActions('EXPIRED', DEFAULT_PRODUCTS.MOBILE, 'WITHDRAWN').find(({ action }) => action === 'top_up');
  expect(verdict).toMatchObject({ allowed: false, reason: { code: 'plan_withdrawn_already' } });
});

test('every refused action has a reason, and no allowed one does', () => {
  for (const code of PRODUCT_CODES)
    for (const status of ['ACTIVE', 'PAUSED', 'EXPIRED'] as const)
      for (const { allowed, reason } of availableActions(status, DEFAULT_PRODUCTS[code])) expect(reason === null).toBe(allowed);
});

test.each([
  [null, 'fine'],
  [0n, 'limit_too_low'],
  [GB - MB, 'limit_too_low'],
  [GB, 'fine'],
  [GB + MB, 'fine'],
  [GB + 1n, 'parameter_invalid'],
  [1_500n * MB, 'fine'],
])('a daily limit of %s bytes: %s', (bytes, expected) => {
  const outcome = (() => {
    try {
      checkDailyLimit(bytes);
      return 'fine';
    } catch (error) {
      return (error as Failure).code;
    }
  })();
  expect(outcome).toBe(expected);
});

describe('prices', () => {
  test('follow the step of the whole package', () => {
    const table = [1, 9, 10, 49, 50, 249, 250, 10_000].map((gigabytes) =>
      PRODUCT_CODES.map((code) => perGb(DEFAULT_PRODUCTS[code], gigabytes).amountMinor),
    );
    expect(table).toEqual([
      [500, 260, 650, 190],
      [500, 260, 650, 190],
      [450, 230, 600, 170],
      [450, 230, 600, 170],
      [400, 200, 520, 150],
      [400, 200, 520, 150],
      [340, 170, 440, 120],
      [340, 170, 440, 120],
    ]);
  });

  test('set by the operator replace the defaults of their product', () => {
    const products = soldBy({
      residential: { MOBILE: { name: 'Pocket', sold: false, prices: { '100': '5.5', '1': '7.00' } } },
      vps: { anything: 'is for compute to judge' },
    });
    expect(products.MOBILE.name).toBe('Pocket');
    expect([1, 99, 100].map((gigabytes) => perGb(products.MOBILE, gigabytes).amountMinor)).toEqual([700, 700, 550]);
    expect(products.PREMIUM).toEqual(DEFAULT_PRODUCTS.PREMIUM);
    expect([products.MOBILE.sold, products.PREMIUM.sold]).toEqual([false, true]);
    expect(products.MOBILE.sessionMinutes).toEqual([30, 60, 120]);
  });

  test.each([
    [{ residential: { MOBILE: { prices: { '10': '7.00' } } } }, /first price step must be 1/],
    [{ residential: { MOBILE: { prices: { '1': '7.005' } } } }, /at most two decimals/],
    [{ residential: { MOBILE: { prices: { '1': 7 } } } }, /residential\.MOBILE\.prices\.1/],
    [{ residential: { MOBILE: { sessionMinutes: [1] } } }, /sessionMinutes/],
    [{ residential: { MOBILE: { prices: { '1': '0.00' } } } }, /residential\.MOBILE\.prices\.1: must be from 0\.01/],
    [{ residential: { GOLD: {} } }, /residential\.GOLD: is not known/],
    [{ residental: {} }, /- residental: is not known/],
    [[], /expected object/],
  ])('of the operator that are not usable are refused with a sentence: %j', (catalogue, sentence) => {
    expect(() => soldBy(catalogue)).toThrow(sentence);
  });
});
