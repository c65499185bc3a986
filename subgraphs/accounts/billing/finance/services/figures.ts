// What steers the shop, by days or months, and the margin of each product (docs/figures.md). Revenue follows from invoices and credit notes, as in the finance
// report, and so agrees with the ledger; costs are what sellers have counted, and no line of the books.
import { DAY } from '#platform/clock.ts';
import { CURRENCY, type Money, divideHalfUp, usd } from '#commerce/money.ts';
import { MICROS } from '#commerce/costs/count-costs.ts';
import type { FinanceContext } from '../context.ts';
import { type DayPeriod, daysOf, periodOfDays } from '#platform/day-period.ts';
import { type FigureStep, spansOf, usualDays } from '../domain/figure-spans.ts';
import { shareOf } from '../domain/share.ts';
import {
  type AccountsOfSpan,
  accountSeries,
  costSeries,
  costsByProduct,
  countedDays,
  recurringSeries,
  salesSeries,
} from '../entities/figure-series.ts';
import { salesSums } from '../entities/finance-figures.ts';

type Reading = Pick<FinanceContext, 'em'>;

/** First and last day, YYYY-MM-DD; absent: the last thirty days, or twelve months. */
interface Asked {
  from?: string | null | undefined;
  to?: string | null | undefined;
}

/** The days that are asked for. Errors: parameter_invalid. */
export const askedPeriod = ({ clock }: Pick<FinanceContext, 'clock'>, { from, to }: Asked, step: FigureStep): DayPeriod => {
  const usual = usualDays(step, clock.now());
  return periodOfDays(from ?? usual.from, to ?? usual.to);
};

export interface FigurePoint {
  /** First and last day, YYYY-MM-DD. */
  from: string;
  to: string;
  revenue: Money;
  /** Null: no day of it was counted. */
  cost: Money | null;
  margin: Money | null;
  /** At its end. */
  recurring: Money;
  customers: number;
  lost: number;
  churnBasisPoints: number | null;
  perCustomer: Money | null;
  bytes: bigint;
}

export interface ProductFigures {
  seller: string;
  product: string;
  revenue: Money;
  cost: Money | null;
  margin: Money | null;
  marginBasisPoints: number | null;
  /** Days of the period of which the seller has counted the cost. */
  costDays: number;
  /** Carried bytes; null for what is not sold by them. */
  bytes: bigint | null;
  /** Days for which addresses or servers were sold, in hundredths; null for bytes. */
  unitDays: number | null;
}

const minorOf = (micros: string): number => Number(divideHalfUp(BigInt(micros), MICROS));

/** A series; one point for each day or month of the period. Errors: parameter_invalid when there are too many. */
export async function figureSeries({ em }: Reading, period: DayPeriod, step: FigureStep): Promise<FigurePoint[]> {
  const spans = spansOf(period, step);
  const [sales, recurring, accounts, costs] = [
    await salesSeries(em, spans, CURRENCY),
    await recurringSeries(em, spans, CURRENCY),
    await accountSeries(em, spans),
    await costSeries(em, spans),
  ];
  return spans.map((span, index) => {
    const at = <Row extends { number: number }>(rows: readonly Row[]) => rows.find(({ number }) => number === index + 1);
    const revenue = Number(at(sales)?.net ?? 0);
    const counted = at(costs);
    const cost = counted ? minorOf(counted.costMicros) : null;
    // As in the finance report: rounded for each seller.
    const monthly = recurring
      .filter(({ number }) => number === index + 1)
      .reduce((sum, { yearly }) => sum + Number(divideHalfUp(BigInt(yearly), 12n)), 0);
    const { opening, lost, closing } = accounts[index] as AccountsOfSpan;
    return {
      ...daysOf(span),
      revenue: usd(revenue),
      cost: cost === null ? null : usd(cost),
      margin: cost === null ? null : usd(revenue - cost),
      recurring: usd(monthly),
      customers: closing,
      lost,
      churnBasisPoints: shareOf(lost, opening),
      perCustomer: closing === 0 ? null : usd(Number(divideHalfUp(BigInt(monthly), BigInt(closing)))),
      bytes: BigInt(counted?.bytes ?? 0),
    };
  });
}

const daysIn = ({ from, until }: DayPeriod): number => (until.getTime() - from.getTime()) / DAY;

/** The margin of each product that was invoiced, credited or counted within the period. */
export async function productFigures({ em }: Reading, period: DayPeriod): Promise<ProductFigures[]> {
  const sales = (await salesSums(em, period)).filter(({ currency }) => currency === CURRENCY);
  const costs = await costsByProduct(em, period);
  const counted = await countedDays(em, period);
  const keys = new Map([...sales, ...costs].map(({ seller, product }) => [`${seller} ${product}`, { seller, product }]));
  return [...keys.values()]
    .toSorted((one, other) => one.seller.localeCompare(other.seller) || one.product.localeCompare(other.product))
    .map(({ seller, product }) => {
      const of = <Row extends { seller: string; product: string }>(rows: readonly Row[]) =>
        rows.find((row) => row.seller === seller && row.product === product);
      const [sold, spent] = [of(sales), of(costs)];
      const revenue = Number(BigInt(sold?.sold ?? 0) - BigInt(sold?.givenBack ?? 0));
      const costDays = Math.min(counted.get(seller) ?? 0, daysIn(period));
      const cost = costDays === 0 ? null : minorOf(spent?.costMicros ?? '0');
      return {
        seller,
        product,
        revenue: usd(revenue),
        cost: cost === null ? null : usd(cost),
        margin: cost === null ? null : usd(revenue - cost),
        marginBasisPoints: cost === null ? null : shareOf(revenue - cost, revenue),
        costDays,
        bytes: spent?.unit === 'BYTES' ? BigInt(spent.units) : null,
        unitDays: spent && spent.unit !== 'BYTES' ? Number(divideHalfUp(BigInt(spent.units) * 100n, 86_400n)) : null,
      };
    });
}
