// What a seller's products have cost its operator, told to accounts once a day. What an address, a server or a GB costs is in the catalogue, by dates; what a
// seller of exits charges, with its gateway.
import { DAY, after, toDay } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { JobDefinition } from '#platform/jobs.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueBook } from '../catalogue/catalogue-book.ts';

export type CostUnit = 'BYTES' | 'ADDRESS_SECONDS' | 'SERVER_SECONDS';

export interface ProductCost {
  product: string;
  unit: CostUnit;
  units: bigint;
  /** Millionths of a minor unit, so that days add up to a month without a rest. */
  costMicros: bigint;
}

/** A whole UTC day. */
export interface CostDay {
  /** YYYY-MM-DD. */
  day: string;
  begins: Date;
  ends: Date;
}

export type CostContext = Context<{ catalogue: CatalogueBook }>;

/** Millionths of a minor unit in one. */
export const MICROS = 1_000_000n;

/** What an item cost its operator when the day began, in minor units. */
export const costOn = ({ providers }: CostContext, { begins }: CostDay): ((item: string) => number) => {
  const valueOf = providers.catalogue.view((values) => values).at(begins);
  return (item) => valueOf(item, 'cost') as number;
};

/** What something that costs so much a month cost for some seconds of this day. A day is an equal part of its month. */
export function costOfSeconds(perMonthMinor: number, seconds: bigint, { begins }: CostDay): bigint {
  const days = new Date(Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + 1, 0)).getUTCDate();
  return (BigInt(perMonthMinor) * MICROS * seconds) / BigInt(days * 86_400);
}

/** The days that are over, the latest first. */
const daysBefore = (now: Date, count: number): CostDay[] =>
  Array.from({ length: count }, (_, index) => {
    const ends = after(new Date(toDay(now)), -index * DAY);
    const begins = after(ends, -DAY);
    return { day: toDay(begins), begins, ends };
  });

/** The job that tells what the last days have cost, shortly after midnight. `days`: use may come late, so more than one is counted again. */
export const costJob = <Ctx extends CostContext>(
  seller: Seller,
  days: number,
  count: (ctx: Ctx, day: CostDay) => Promise<ProductCost[]>,
): JobDefinition<Ctx> => ({
  name: `${seller}.costs-count`,
  cron: '41 0 * * *',
  async run(ctx) {
    const at = ctx.clock.now();
    for (const day of daysBefore(at, days).toReversed()) {
      const products = (await count(ctx, day)).map(({ units, costMicros, ...row }) => ({
        ...row,
        units: String(units),
        costMicros: String(costMicros),
      }));
      await inTransaction(ctx, (tx) =>
        appendEvents(tx.em, { type: 'costs.counted', at, accountId: null, subject: seller, data: { seller, day: day.day, products } }),
      );
    }
  },
});
