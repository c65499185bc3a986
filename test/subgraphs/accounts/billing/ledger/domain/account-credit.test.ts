import { expect, test } from 'vitest';
import {
  SMALLEST_CHARGE_MINOR,
  creditToUse,
  linesWithCredit,
} from '../../../../../../subgraphs/accounts/billing/ledger/domain/account-credit.ts';

test.each([
  [0, 2_500, 0],
  [900, 2_500, 900],
  [2_449, 2_500, 2_449],
  [2_450, 2_500, 2_450],
  [2_451, 2_500, 2_450],
  [2_499, 2_500, 2_450],
  [2_500, 2_500, 2_500],
  [9_000, 2_500, 2_500],
  [30, 40, 0],
  [40, 40, 40],
])('a balance of %d pays %d with %d', (balance, gross, used) => {
  expect(creditToUse(balance, gross)).toBe(used);
});

test('never more than the balance or the price, and the card is left with nothing or enough, for every balance and price up to 3 USD', () => {
  const wrong: object[] = [];
  for (let gross = 0; gross <= 300; gross++)
    for (let balance = 0; balance <= 300; balance++) {
      const used = creditToUse(balance, gross);
      const left = gross - used;
      const fits = used >= 0 && used <= balance && used <= gross && (left === 0 || left >= Math.min(SMALLEST_CHARGE_MINOR, gross));
      if (!fits) wrong.push({ balance, gross, used });
    }
  expect(wrong).toEqual([]);
});

test('the lines of an order add up to its price less the credit', () => {
  const lines = [{ label: 'Premium, 5 GB', quantity: 5, amountMinor: 2_500 }];
  expect(linesWithCredit(lines, 0)).toEqual(lines);
  expect(linesWithCredit(lines, 900).reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(1_600);
});
