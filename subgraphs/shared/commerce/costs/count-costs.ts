// What a seller's products have cost its operator, told to accounts once a day. What an address, a server or a GB costs is in the catalogue, by dates; what a
// seller of exits charges, with its gateway.
import { DAY, after, toDay } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import type { JobDefinition } from '#platform/jobs.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import type { CatalogueBook } from '../catalogue/catalogue-book.ts';
import { countedDaysSince, markCounted } from './cost-day-rows.ts';

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

/** How many days back missed nights are caught up with: details of traffic are kept no longer by default. */
const CAUGHT_UP_DAYS = 90;

const dayOf = (begins: Date): CostDay => ({ day: toDay(begins), begins, ends: after(begins, DAY) });

/** What is counted of a day tonight. */
interface DueDay extends CostDay {
  /** How often it was counted before. */
  times: number;
}

/**
 * The days that are over and wait to be counted, the earliest first: those since the first one that no night has counted, at least yesterday; and those that
 * were counted on no more than `again` nights, none of them today.
 */
async function dueDays({ em }: CostContext, now: Date, again: number): Promise<DueDay[]> {
  const today = new Date(toDay(now));
  const days = Array.from({ length: CAUGHT_UP_DAYS }, (_, index) => dayOf(after(today, (index - CAUGHT_UP_DAYS) * DAY)));
  const { first, counted } = await countedDaysSince(em, toDay(after(today, -CAUGHT_UP_DAYS * DAY)));
  const yesterday = toDay(after(today, -DAY));
  const since = first !== null && first < yesterday ? first : yesterday;
  return days.flatMap((day) => {
    const known = counted.get(day.day);
    if (known) return known.times <= again && known.at < today ? [{ ...day, times: known.times }] : [];
    return day.day >= since ? [{ ...day, times: 0 }] : [];
  });
}

/**
 * The job that tells what days have cost, shortly after midnight; the first night after some that were missed counts these too, each once. `again`: on how many
 * further nights a day is counted again, since use may come late.
 */
export const costJob = <Ctx extends CostContext>(
  seller: Seller,
  again: number,
  count: (ctx: Ctx, day: CostDay) => Promise<ProductCost[]>,
): JobDefinition<Ctx> => ({
  name: `${seller}.costs-count`,
  cron: '41 0 * * *',
  async run(ctx) {
    const at = ctx.clock.now();
    for (const due of await dueDays(ctx, at, again)) {
      const products = (await count(ctx, due)).map(({ units, costMicros, ...row }) => ({
        ...row,
        units: String(units),
        costMicros: String(costMicros),
      }));
      await inTransaction(ctx, async (tx) => {
        if (!(await markCounted(tx.em, due.day, due.times, at))) return;
        const data = { seller, day: due.day, products };
        await appendEvents(tx.em, { type: 'costs.counted', at, accountId: null, subject: seller, data });
      });
    }
  },
});
