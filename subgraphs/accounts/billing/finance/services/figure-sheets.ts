// The sheets of figures, as files. Each is one part: its rows are computed together, and are few.
import type { Money } from '#commerce/money.ts';
import { decimalOf } from '#commerce/money.ts';
import type { EntityManager } from '#platform/database.ts';
import type { FigureStep } from '../domain/figure-spans.ts';
import type { Batch } from '../entities/finance-export.ts';
import { figureSeries, productFigures } from './figures.ts';

type Rows = { id: string; cells: (string | null)[] }[];

const amount = (money: Money | null): string | null => money && decimalOf(money.amountMinor);
const percent = (basisPoints: number | null): string | null => (basisPoints === null ? null : decimalOf(basisPoints));

export const FIGURE_COLUMNS = [
  ...['from', 'to', 'currency', 'revenue', 'cost', 'margin', 'recurring_per_month'],
  ...['paying_customers', 'lost_customers', 'churn_percent', 'recurring_per_customer', 'residential_bytes'],
];

/** One row for each day or month of the period. Errors: parameter_invalid when there are too many. */
export const figureRows =
  (step: FigureStep) =>
  async (em: EntityManager, { period, after }: Batch): Promise<Rows> => {
    if (after !== null) return [];
    return (await figureSeries({ em }, period, step)).map((point) => ({
      id: point.from,
      cells: [
        ...[point.from, point.to, point.revenue.currency, amount(point.revenue), amount(point.cost), amount(point.margin)],
        ...[amount(point.recurring), String(point.customers), String(point.lost), percent(point.churnBasisPoints)],
        ...[amount(point.perCustomer), String(point.bytes)],
      ],
    }));
  };

export const MARGIN_COLUMNS = [
  ...['seller', 'product', 'currency', 'revenue', 'cost', 'margin', 'margin_percent', 'days_of_cost', 'bytes', 'address_or_server_days'],
];

/** One row for each product of the period. */
export async function marginRows(em: EntityManager, { period, after }: Batch): Promise<Rows> {
  if (after !== null) return [];
  return (await productFigures({ em }, period)).map((row) => ({
    id: `${row.seller} ${row.product}`,
    cells: [
      ...[row.seller, row.product, row.revenue.currency, amount(row.revenue), amount(row.cost), amount(row.margin)],
      ...[percent(row.marginBasisPoints), String(row.costDays), row.bytes === null ? null : String(row.bytes), percent(row.unitDays)],
    ],
  }));
}
