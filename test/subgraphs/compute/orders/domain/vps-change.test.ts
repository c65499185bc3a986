// The charge for a change of a VPS, in cents, compared with figures that were not computed by the code: the price difference for the whole period, times the
// share of the period that is left.
import { expect, test } from 'vitest';
import { SECOND, after } from '#platform/clock.ts';
import { VPS_PRICES } from '../../../../../subgraphs/compute/catalogue/domain/vps-plan.ts';
import { type VpsTerms, priceChange } from '../../../../../subgraphs/compute/orders/domain/vps-change.ts';

const start = new Date('2026-04-01T00:00:00Z');
/** Months -> the end of the period. The periods have 30, 91 and 183 days. */
const ENDS: Record<number, Date> = {
  1: new Date('2026-05-01T00:00:00Z'),
  3: new Date('2026-07-01T00:00:00Z'),
  6: new Date('2026-10-01T00:00:00Z'),
};
const DAY_SECONDS = 86_400;
const plank: VpsTerms = { plan: 'PLANK', months: 1, extraIpv4: 0, backups: false };

/** The charges at the start of the period, after a day, half-way, a day before the end, a second before it, and at the end. */
const CHARGES: [string, Partial<VpsTerms>, Partial<VpsTerms>, Record<number, number[]>][] = [
  [
    'Plank to Broglie',
    {},
    { plan: 'BROGLIE' },
    { 1: [1_200, 1_160, 600, 40, 0, 0], 3: [3_201, 3_166, 1_601, 35, 0, 0], 6: [6_402, 6_367, 3_201, 35, 0, 0] },
  ],
  [
    'Plank to Einstein',
    {},
    { plan: 'EINSTEIN' },
    { 1: [3_200, 3_093, 1_600, 107, 0, 0], 3: [8_700, 8_604, 4_350, 96, 0, 0], 6: [17_004, 16_911, 8_502, 93, 0, 0] },
  ],
  [
    'Broglie to Einstein',
    { plan: 'BROGLIE' },
    { plan: 'EINSTEIN' },
    { 1: [2_000, 1_933, 1_000, 67, 0, 0], 3: [5_499, 5_439, 2_750, 60, 0, 0], 6: [10_602, 10_544, 5_301, 58, 0, 0] },
  ],
  [
    'weekly backups',
    {},
    { backups: true },
    { 1: [500, 483, 250, 17, 0, 0], 3: [1_500, 1_484, 750, 16, 0, 0], 6: [3_000, 2_984, 1_500, 16, 0, 0] },
  ],
  ['one more IPv4', {}, { extraIpv4: 1 }, { 1: [145, 140, 73, 5, 0, 0], 3: [435, 430, 218, 5, 0, 0], 6: [870, 865, 435, 5, 0, 0] }],
  [
    'from 3 to 8 extra IPv4',
    { extraIpv4: 3 },
    { extraIpv4: 8 },
    { 1: [725, 701, 363, 24, 0, 0], 3: [2_175, 2_151, 1_088, 24, 0, 0], 6: [4_350, 4_326, 2_175, 24, 0, 0] },
  ],
];

test.each(CHARGES)('%s', (_, before, change, charges) => {
  for (const [months, expected] of Object.entries(charges)) {
    const from = { ...plank, ...before, months: Number(months) };
    const end = ENDS[from.months] ?? start;
    const seconds = (end.getTime() - start.getTime()) / SECOND;
    const moments = [0, DAY_SECONDS, seconds / 2, seconds - DAY_SECONDS, seconds - 1, seconds];
    const charged = moments.map((passed) => {
      const at = after(start, passed * SECOND);
      const { now } = priceChange(from, { ...from, ...change }, { label: 'Change', period: { start, end }, at, prices: VPS_PRICES });
      return now.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
    });
    expect({ months, charged }).toEqual({ months, charged: expected });
  }
});
