// Checks that the reports of finance agree with the ledger and with each other, over all time.
import { expect } from 'vitest';
import { DAY, after, toDay } from '#platform/clock.ts';
import type { Viewer } from '#platform/identity.ts';
import { type AccountsWorld, dataOf } from '../../world.ts';
import { rowsOf } from '../../../../kit/tables.ts';

const REPORT = `query ($from: Date!, $to: Date!) { supportFinance(from: $from, to: $to) {
  trialBalance { ledger opening { amountMinor } debit { amountMinor } credit { amountMinor } closing { amountMinor } }
  taxReturn { country basisPoints tax { amountMinor } } oneStopShop { tax { amountMinor } } oneStopShopCorrections { tax { amountMinor } } sales { net { amountMinor } }
  deferredRevenue { total { amountMinor } schedule { amount { amountMinor } } }
  processors { processor held { amountMinor } booked { amountMinor } uneven { payment kind why } strange { id } }
  payouts { processorId status linesKnown amount { amountMinor } sums { net { amountMinor } } } } }`;

interface Money {
  amountMinor: number;
}
interface Report {
  trialBalance: { ledger: string; opening: Money; debit: Money; credit: Money; closing: Money }[];
  taxReturn: { country: string | null; basisPoints: number; tax: Money }[];
  oneStopShop: { tax: Money }[];
  oneStopShopCorrections: { tax: Money }[];
  sales: { net: Money }[];
  deferredRevenue: { total: Money; schedule: { amount: Money }[] }[];
  processors: { processor: string; held: Money[]; booked: Money[]; uneven: object[]; strange: object[] }[];
  payouts: { processorId: string; status: string; linesKnown: boolean; amount: Money; sums: { net: Money }[] }[];
}

const sum = (amounts: readonly Money[]) => amounts.reduce((total, { amountMinor }) => total + amountMinor, 0);

export async function expectReportsToAgree(
  { ask, clock, query }: Pick<AccountsWorld, 'ask' | 'clock' | 'query'>,
  staff: Viewer,
  where: string,
) {
  const to = toDay(clock.now());
  const reportSince = async (from: string) => dataOf<Report>(await ask(staff, REPORT, { from, to }), 'supportFinance');
  const report = await reportSince('2000-01-01');
  // For a quarter: the one-stop shop's return, with its corrections of earlier quarters, is what was invoiced and credited abroad in that quarter.
  const quarter = await reportSince(toDay(after(clock.now(), -90 * DAY)));
  const abroad = quarter.taxReturn.filter(({ country, basisPoints }) => country !== null && country !== 'DE' && basisPoints > 0);
  const filed = [...quarter.oneStopShop, ...quarter.oneStopShopCorrections].map(({ tax }) => tax);
  expect(sum(filed), where).toBe(sum(abroad.map(({ tax }) => tax)));
  const closing = (name: string) => sum(report.trialBalance.filter(({ ledger }) => ledger === name).map((line) => line.closing));
  const movements = await rowsOf<{ after_minor: string; before_minor: string }>(query, 'accounts.recurring_movement');
  const running = await rowsOf<{ amount_minor: string; interval_count: number; status: string }>(query, 'accounts.billing_subscription');
  // A processor's ledger equals the balance that the processor reports; no payment differs, and every payout is the sum of its lines.
  expect(
    report.processors.map(({ processor }) => processor),
    where,
  ).toEqual(['card', 'paypal']);
  for (const { held, booked, uneven, strange } of report.processors)
    expect({ held: sum(held), uneven, strange }, where).toEqual({ held: sum(booked), uneven: [], strange: [] });
  const odd = report.payouts.filter(({ linesKnown, amount, sums }) => linesKnown && sum(sums.map(({ net }) => net)) !== amount.amountMinor);
  expect(odd, where).toEqual([]);
  expect(
    {
      all: sum(report.trialBalance.map((line) => line.closing)),
      sales: sum(report.sales.map(({ net }) => net)),
      tax: sum(report.taxReturn.map(({ tax }) => tax)),
      deferred: report.deferredRevenue.map(({ total, schedule }) => total.amountMinor - sum(schedule.map(({ amount }) => amount))),
      recurring: movements.reduce((total, row) => total + Number(row.after_minor) - Number(row.before_minor), 0),
    },
    where,
  ).toEqual({
    all: 0,
    sales: 0 - closing('REVENUE'),
    tax: 0 - closing('TAX'),
    deferred: report.deferredRevenue.map(() => 0),
    recurring: running
      .filter(({ status }) => status === 'ACTIVE' || status === 'PAST_DUE')
      .reduce((total, row) => total + (Number(row.amount_minor) * 12) / row.interval_count, 0),
  });
}
