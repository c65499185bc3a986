// Simulated years, each with its own seed: random customers, cards, webhooks and processors, and books that agree at the end.
import { expect, test } from 'vitest';
import { liveYears } from '../../subgraphs/accounts/billing/years.ts';
import { SEED, say, scaled } from '../scale.ts';

/** This process's equal share of the two hundred years. */
const [lane, lanes] = [Number(process.env['LANE']), Number(process.env['LANES'])];

test('a simulated year leaves books that agree, whatever its seed', async () => {
  const years = Math.ceil(scaled(200) / lanes);
  const first = SEED + lane * years;
  const seen = await liveYears(first, years);
  const {
    purchases,
    renewals,
    transfers,
    byPayPal,
    inCoins,
    delivered,
    plans,
    refunds,
    payOuts,
    disputes,
    reissues,
    failures,
    ended,
    closed,
  } = seen;
  // Each year starts with a month with a purchase and a renewal.
  expect(Math.min(purchases, renewals)).toBeGreaterThanOrEqual(years);
  const told = (count: number) => count.toLocaleString('en');
  say(
    `${years} years of seeds ${first} to ${first + years - 1}: ${told(purchases)} purchases, ${told(renewals)} renewals, ${told(transfers)} payments by transfer, ${told(byPayPal)} by PayPal, ${told(inCoins)} in coins, ${told(delivered)} orders delivered, ${told(plans)} static plans, ${told(refunds)} refunds, ${told(payOuts)} pay-outs, ${told(disputes)} disputes, ${told(reissues)} invoices issued anew, ${told(failures)} mails of failures, ${told(ended)} subscriptions ended, ${told(closed)} accounts closed; every rule holds after each, and finance's reports agree with the ledger`,
  );
});
