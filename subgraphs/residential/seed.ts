// Demo data: one plan of each product, bought 90 days ago, with the use of 90 days, which goes through the ledger like a network's reports.
import { DAY, after, toDay } from '#platform/clock.ts';
import { fromGb } from '#platform/data-size.ts';
import type { ProductCode } from '../../edge/protocol/product.ts';
import type { UsageLine } from './metering/domain/usage-report.ts';
import { plansById } from './plans/entities/plan.ts';
import type { Context } from './providers.ts';
import { grantPlan } from './plans/services/grant-plan.ts';
import { receiveUsageReport } from './metering/services/receive-usage-report.ts';

const DAYS = 90;
const LINES_A_DAY = 6;

/** How much was bought, and which part of it is used; the last one is the newest. */
const PACKAGES: readonly { product: ProductCode; gigabytes: number; used: number; countries: readonly string[] }[] = [
  { product: 'ALT_RESIDENTIAL', gigabytes: 500, used: 0.22, countries: ['in', 'br', 'mx'] },
  { product: 'MOBILE', gigabytes: 25, used: 0.83, countries: ['us', 'gb'] },
  { product: 'PRIVATE_RESIDENTIAL', gigabytes: 100, used: 0.41, countries: ['fr', 'nl', 'es'] },
  { product: 'PREMIUM', gigabytes: 250, used: 0.68, countries: ['us', 'de', 'gb', 'jp'] },
];
const HOSTS = ['shop.example', 'prices.example', 'search.example', 'maps.example', 'travel.example'];
const CLIENTS = ['203.0.113.10', '203.0.113.11', '198.51.100.24'];

/** Returns the ids of the plans, newest (Premium) first. `now` is the last moment of use. */
export async function seedResidential(ctx: Context, { accountId, now }: { accountId: string; now: Date }): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, { product, gigabytes, used, countries }] of PACKAGES.entries()) {
    const bought = { now: () => after(now, index - DAYS * DAY) };
    const { planId } = await grantPlan({ ...ctx, clock: bought }, { accountId, product, bytes: fromGb(gigabytes) });
    const [plan] = await plansById(ctx.em, [planId], now);
    if (!plan) throw new Error(`no plan ${planId}`);
    const lines = usageLines({ username: plan.username, bytes: Number(plan.totalBytes) * used, countries, random: random(index + 1), now });
    await receiveUsageReport({ ...ctx, clock: { now: () => now } }, { source: 'demo', reportId: planId, lines });
    ids.unshift(planId);
  }
  return ids;
}

interface Traffic {
  username: string;
  bytes: number;
  countries: readonly string[];
  random: () => number;
  now: Date;
}

/** Lines of about `bytes` in all: more on working days, with a slow wave and a few spikes; about fifteen times as much down as up. */
function usageLines({ username, bytes, countries, random, now }: Traffic): UsageLine[] {
  const moments = Array.from({ length: DAYS * LINES_A_DAY }, (_, line) => {
    const day = Math.floor(line / LINES_A_DAY) - DAYS + 1;
    const at = momentOf(after(now, day * DAY), now, random());
    const weekend = [0, 6].includes(at.getUTCDay());
    const wave = 1 + 0.35 * Math.sin(day / 6);
    const spike = random() > 0.985 ? 4 : 1;
    return { line, at, weight: (weekend ? 0.45 : 1) * wave * spike * (0.3 + random()) };
  });
  const whole = moments.reduce((sum, { weight }) => sum + weight, 0);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  return moments.map(({ line, at, weight }) => {
    const part = (bytes * weight) / whole;
    const upShare = 0.04 + 0.04 * random();
    return {
      line,
      username,
      at,
      upBytes: BigInt(Math.round(part * upShare)),
      downBytes: BigInt(Math.round(part * (1 - upShare))),
      country: pick(countries),
      host: pick(HOSTS),
      client: pick(CLIENTS),
      session: String(Math.floor(random() * 1e8)).padStart(8, '0'),
    };
  });
}

/** A moment in the UTC day of `day`, at this share of it, not after `now`. */
function momentOf(day: Date, now: Date, share: number): Date {
  const start = new Date(`${toDay(day)}T00:00:00Z`);
  const end = Math.min(after(start, DAY).getTime() - 1, now.getTime());
  return new Date(start.getTime() + Math.floor((end - start.getTime()) * share));
}

/** A random generator with a seed, so that the numbers are the same on every machine (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
