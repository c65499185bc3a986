import { expect, test } from 'vitest';
import { liveYears } from './years.ts';

/** `npm run prove -- years` simulates two hundred years. */
const YEARS = 2;

test(`${YEARS} simulated years leave books that agree`, { timeout: 900_000 }, async () => {
  const { purchases, renewals, refunds, payOuts, disputes, payouts, reissues } = await liveYears(1, YEARS);
  expect(Math.min(purchases, renewals)).toBeGreaterThan(YEARS);
  expect(Math.min(refunds, payOuts, disputes, payouts, reissues)).toBeGreaterThan(0);
});
