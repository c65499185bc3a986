// A year, again and again, each from a seed of its own: what people, cards, notices and the processor may do, and books that agree at its end.
import { expect, test } from 'vitest';
import { liveYears } from '../../billing/years.ts';
import { SCALE, SEED, say, scaled } from '../scale.ts';

/** Not in the short form: the tests live through some of them as they are. */
test.skipIf(SCALE < 0.015)('a simulated year leaves books that agree, whatever its seed', async () => {
  const years = scaled(200);
  const { purchases, renewals, failures, ended } = await liveYears(SEED, years);
  expect(Math.min(purchases, renewals)).toBeGreaterThan(0);
  const told = (count: number) => count.toLocaleString('en');
  say(
    `${years} years of seeds ${SEED} to ${SEED + years - 1}: ${told(purchases)} purchases, ${told(renewals)} renewals, ${told(failures)} mails of failures, ${told(ended)} subscriptions ended; I1 to I5 hold after each`,
  );
});
