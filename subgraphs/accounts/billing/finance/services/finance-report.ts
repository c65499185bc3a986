// The finance report of a span of days. Every figure follows from the ledger, or from invoices and credit notes, which agree with it to the cent.
import { type Money, divideHalfUp } from '#commerce/money.ts';
import type { FinanceContext } from '../context.ts';
import { LEDGERS, type Ledger } from '../../ledger/domain/ledger.ts';
import { type DayPeriod, periodOfDays } from '#platform/day-period.ts';
import { monthEnds } from '../domain/finance-period.ts';
import { shareOf } from '../domain/share.ts';
import { type AccountsOfSpan, accountSeries } from '../entities/figure-series.ts';
import { deferredSums, ledgerSums, owedSums, type RecurringSums, recurringSums, salesSums } from '../entities/finance-figures.ts';

type Reading = Pick<FinanceContext, 'em' | 'clock'>;

const money = (amount: string | bigint, currency: string): Money => ({ amountMinor: Number(amount), currency });

export interface LedgerBalance {
  ledger: Ledger;
  about: string;
  opening: Money;
  debit: Money;
  credit: Money;
  closing: Money;
}

export interface ProductSales {
  seller: string;
  product: string;
  invoices: number;
  sold: Money;
  givenBack: Money;
  net: Money;
}

export interface DeferredRevenue {
  /** The length of the paid periods in months: 1, 3 or 6. */
  months: number;
  total: Money;
  /** The amount that becomes revenue in each month. */
  schedule: { month: string; amount: Money }[];
}

/** No period is longer than six months, so everything is earned within seven calendar months. */
const MONTHS_AHEAD = 7;

export interface RecurringRevenue {
  seller: string;
  subscriptions: number;
  opening: Money;
  added: Money;
  returned: Money;
  expanded: Money;
  contracted: Money;
  churned: Money;
  closing: Money;
}

/** A twelfth of a yearly amount, rounded half up. */
const monthly = (yearly: bigint, currency: string) => money(divideHalfUp(yearly, 12n), currency);

function toRecurringRevenue({ seller, subscriptions, currency, ...sums }: RecurringSums): RecurringRevenue {
  const [opening, added, returned, expanded, contracted, churned] = [
    ...[sums.opening, sums.added, sums.returned],
    ...[sums.expanded, sums.contracted, sums.churned],
  ].map(BigInt) as [bigint, bigint, bigint, bigint, bigint, bigint];
  return {
    seller,
    subscriptions,
    opening: monthly(opening, currency),
    added: monthly(added, currency),
    returned: monthly(returned, currency),
    expanded: monthly(expanded, currency),
    contracted: monthly(contracted, currency),
    churned: monthly(churned, currency),
    closing: monthly(opening + added + returned + expanded - contracted - churned, currency),
  };
}

export interface PayingCustomers {
  opening: number;
  lost: number;
  closing: number;
  /** Lost customers in hundredths of a percent of those at the beginning; null: there were none. */
  churnBasisPoints: number | null;
  /** Monthly recurring revenue per customer at the end, for each currency. */
  perCustomer: Money[];
}

/** The days since the unpaid period began at which a group begins. */
const OWED_DAYS = [0, 8, 15, 31, 61, 91];

export interface AgedReceivables {
  fromDays: number;
  /** Exclusive; null: no limit. */
  toDays: number | null;
  orders: number;
  amount: Money;
}

/** Errors: parameter_invalid. */
export const financeReport = (ctx: Reading, from: string, to: string): FinanceReport => new FinanceReport(ctx, periodOfDays(from, to));

/** One report; sums that several figures need are read only once. */
export class FinanceReport {
  readonly period: DayPeriod;
  readonly #ctx: Reading;
  #recurringSums: Promise<RecurringSums[]> | undefined;

  constructor(ctx: Reading, period: DayPeriod) {
    this.#ctx = ctx;
    this.period = period;
  }

  #recurring = () => (this.#recurringSums ??= recurringSums(this.#ctx.em, this.period));

  /** Every ledger that has entries; debits are positive. */
  async trialBalance(): Promise<LedgerBalance[]> {
    return (await ledgerSums(this.#ctx.em, this.period)).map(({ ledger, currency, opening, debit, credit }) => ({
      ledger,
      about: LEDGERS[ledger],
      opening: money(opening, currency),
      debit: money(debit, currency),
      credit: money(credit, currency),
      closing: money(BigInt(opening) + BigInt(debit) - BigInt(credit), currency),
    }));
  }

  /** Sales by product, before tax. */
  async salesByProduct(): Promise<ProductSales[]> {
    return (await salesSums(this.#ctx.em, this.period)).map(({ currency, sold, givenBack, ...line }) => ({
      ...line,
      sold: money(sold, currency),
      givenBack: money(givenBack, currency),
      net: money(BigInt(sold) - BigInt(givenBack), currency),
    }));
  }

  /** Amounts that were invoiced by the end of the period for time after it, before tax. */
  async deferredRevenue(): Promise<DeferredRevenue[]> {
    const { until } = this.period;
    const ends = monthEnds(until, MONTHS_AHEAD);
    const sums = await deferredSums(this.#ctx.em, until, [until, ...ends]);
    return sums.map(({ months, currency, deferred }) => ({
      months,
      total: money(deferred[0] ?? '0', currency),
      schedule: ends.map((end, index) => ({
        month: new Date(end.getTime() - 1).toISOString().slice(0, 7),
        amount: money(BigInt(deferred[index] ?? 0) - BigInt(deferred[index + 1] ?? 0), currency),
      })),
    }));
  }

  /** Monthly recurring revenue before tax, by seller: at the beginning of the period, its gains and losses, and at the end. */
  async recurringRevenue(): Promise<RecurringRevenue[]> {
    return (await this.#recurring()).map(toRecurringRevenue);
  }

  async payingCustomers(): Promise<PayingCustomers> {
    const [accounts] = await accountSeries(this.#ctx.em, [this.period]);
    const { opening, lost, closing } = accounts as AccountsOfSpan;
    const totals = new Map<string, number>();
    for (const { closing: amount } of await this.recurringRevenue())
      totals.set(amount.currency, (totals.get(amount.currency) ?? 0) + amount.amountMinor);
    return {
      opening,
      lost,
      closing,
      churnBasisPoints: shareOf(lost, opening),
      perCustomer:
        closing === 0 ? [] : [...totals].map(([currency, total]) => money(divideHalfUp(BigInt(total), BigInt(closing)), currency)),
    };
  }

  /** Renewals that are unpaid now although their period has begun. */
  async agedReceivables(): Promise<AgedReceivables[]> {
    const { em, clock } = this.#ctx;
    return (await owedSums(em, clock.now(), OWED_DAYS)).map(({ currency, amount, ...group }) => ({
      ...group,
      amount: money(amount, currency),
    }));
  }
}
