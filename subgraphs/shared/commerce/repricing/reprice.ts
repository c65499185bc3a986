// An operator moves running subscriptions to the prices that the catalogue has now, from a day on. Each subscription's owner is told by accounts, which renews
// by what is announced here; the seller takes the price over when the first such period is paid.
import { DAY, after } from '#platform/clock.ts';
import { type Context, setterOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { type EventOf, appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Seller } from '../../../../schema/subgraphs.ts';
import { sumOfLines } from '../offers.ts';
import type { SubscriptionFact } from '../subscription-facts.ts';
import { checkReason } from '../support-reason.ts';
import type { Good, RepricedGoods } from './repriced-goods.ts';
import {
  type Repricing,
  dropRepriced,
  insertRepricing,
  latestRepricings,
  lockRepricing,
  markWithdrawn,
  repricedAfter,
  repricingOf,
  repricingsOfAccount,
  repricingWithId,
  storeRepriced,
} from './repricing-rows.ts';

export type RepricingContext = Context<{ repricingNoticeDays: number }>;

/** So many plans or servers are told in one transaction. */
const BATCH = 100;

export interface RepricingWish {
  item: string;
  /** Periods that begin then or later cost the new price. */
  from: Date;
  reason: string;
}

const jobOf = (seller: Seller) => `${seller}.reprice` as const;

/**
 * Announces the prices that the catalogue has now to everybody whose subscription is of this item. Its plans or servers are told in the background. Errors:
 * parameter_invalid.
 */
export async function announceRepricing<Ctx extends RepricingContext>(
  ctx: Ctx,
  seller: Seller,
  goods: RepricedGoods<Ctx>,
  { item, from, reason }: RepricingWish,
): Promise<Repricing> {
  if (!goods.items.includes(item)) throw fail('parameter_invalid', { field: 'item', allowed: [...goods.items] });
  const { repricingNoticeDays: days } = ctx.providers;
  const pricedAt = ctx.clock.now();
  if (from < after(pricedAt, days * DAY)) throw fail('parameter_invalid', { field: 'from', reason: because('repricing_notice', { days }) });
  const [id, announcedBy] = [newId('rep', ctx.clock), setterOf(ctx)];
  const row = { id, item, accountId: null, pricedAt, appliesFrom: from, reason: checkReason(reason), announcedBy };
  return inTransaction(ctx, async (tx) => {
    await insertRepricing(tx.em, row);
    await tx.jobs.enqueue(tx.em, jobOf(seller), { id: row.id });
    return { ...row, withdrawnAt: null, waiting: await goods.count(tx.em, row) };
  });
}

/** What one account's subscriptions of an item cost from a moment on. */
interface OfAccount {
  accountId: string;
  item: string;
  at: Date;
}

/**
 * Brings what one account has of the item now to what it pays from a moment on, from its next renewal after that. It needs no notice, since nothing gets dearer
 * by it. In the transaction that sets the price.
 */
export async function repriceAccount(
  { em, clock, jobs, viewer }: Context,
  seller: Seller,
  { accountId, item, at, reason }: OfAccount & { reason: string },
): Promise<void> {
  const id = newId('rep', clock);
  await insertRepricing(em, { id, item, accountId, pricedAt: at, appliesFrom: at, reason, announcedBy: setterOf({ viewer }) });
  await jobs.enqueue(em, jobOf(seller), { id });
}

/** What has not renewed at that price yet goes on at its own. In the transaction that ends the price. */
export async function withdrawOfAccount({ em, clock, jobs, viewer }: Context, seller: Seller, price: OfAccount): Promise<void> {
  for (const id of await repricingsOfAccount(em, price)) {
    await lockRepricing(em, id);
    await markWithdrawn(em, id, clock.now(), setterOf({ viewer }));
    await jobs.enqueue(em, jobOf(seller), { id });
  }
}

/** Withdraws a repricing for everything that waits for it. Errors: parameter_invalid, action_not_allowed once it applies. */
export function withdrawRepricing(ctx: RepricingContext, seller: Seller, id: string): Promise<Repricing> {
  return inTransaction(ctx, async (tx) => {
    const repricing = await lockRepricing(tx.em, id);
    if (!repricing) throw fail('parameter_invalid', { field: 'id', reason: because('repricing_unknown') });
    const withdrawnAt = tx.clock.now();
    if (repricing.withdrawnAt || repricing.appliesFrom <= withdrawnAt)
      throw fail('action_not_allowed', { reason: because('repricing_applies') });
    await markWithdrawn(tx.em, id, withdrawnAt, setterOf(tx));
    await tx.jobs.enqueue(tx.em, jobOf(seller), { id });
    return { ...repricing, withdrawnAt };
  });
}

export const repricings = ({ em }: RepricingContext): Promise<Repricing[]> => latestRepricings(em);

/** The job that tells every plan or server of a repricing, or of its withdrawal; begun again after a crash, it goes on with those that are left. */
export const repricingJob = <Ctx extends RepricingContext>(seller: Seller, goods: RepricedGoods<Ctx>) => ({
  name: jobOf(seller),
  async run(ctx: Ctx, { id }: { id: string }) {
    const repricing = await repricingWithId(ctx.em, id);
    if (!repricing) return;
    const find = (from: string) =>
      repricing.withdrawnAt ? repricedAfter(ctx.em, id, from, BATCH) : goods.idsOf(ctx.em, repricing, from, BATCH);
    for (let ids = await find(''); ids.length > 0; ids = await find(ids.at(-1) as string)) await tellAll(ctx, goods, id, ids);
  },
});

const tellAll = <Ctx extends RepricingContext>(ctx: Ctx, goods: RepricedGoods<Ctx>, id: string, ids: readonly string[]): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const repricing = await lockRepricing(tx.em, id);
    for (const resourceId of ids) {
      const good = await goods.lock(tx, resourceId);
      if (!good) await dropRepriced(tx.em, resourceId);
      else if (repricing?.withdrawnAt) await takeBack(tx, good, id);
      else if (repricing) await tell(tx, good, repricing);
    }
  });

/** Announces a repricing of one plan or server, unless it waits for this or a later one. */
async function tell(ctx: RepricingContext, good: Good, repricing: Repricing): Promise<void> {
  const known = await repricingOf(ctx.em, good.id);
  if (known?.id === repricing.id || (known && known.pricedAt > repricing.pricedAt)) return;
  if (repricing.accountId !== null && sumOfLines(good.linesAt(repricing.pricedAt)) >= sumOfLines(good.lines)) return;
  await storeRepriced(ctx.em, good.id, repricing.id);
  await announce(ctx, good, repricing);
}

async function takeBack({ em, clock }: RepricingContext, { id, accountId, subscriptionId }: Good, repricingId: string): Promise<void> {
  await dropRepriced(em, id, repricingId);
  await appendEvents(em, { type: 'repricing.withdrawn', at: clock.now(), accountId, subject: subscriptionId, data: { repricingId } });
}

const announce = ({ em, clock }: RepricingContext, { accountId, subscriptionId, lines, linesAt }: Good, repricing: Repricing) =>
  appendEvents(em, {
    type: 'repricing.announced',
    at: clock.now(),
    accountId,
    subject: subscriptionId,
    data: {
      repricingId: repricing.id,
      appliesFrom: repricing.appliesFrom.toISOString(),
      linesBefore: lines,
      lines: linesAt(repricing.pricedAt),
    },
  });

/**
 * What a fact of the subscription means for the repricing that a plan or server waits for. Returns the repricing whose prices it runs by from now on, when the
 * first period at them is paid. The caller holds the resource's lock.
 */
export async function followRepricing<Ctx extends RepricingContext>(
  ctx: Ctx,
  goods: RepricedGoods<Ctx>,
  resourceId: string,
  { type, data }: Pick<EventOf<SubscriptionFact>, 'type' | 'data'>,
): Promise<Repricing | undefined> {
  if (type === 'subscription.changed') await announceAgain(ctx, goods, resourceId);
  if (type === 'subscription.ended') await dropRepriced(ctx.em, resourceId);
  if (type !== 'subscription.renewed' || data.repricingId === undefined) return undefined;
  await dropRepriced(ctx.em, resourceId, data.repricingId);
  return repricingWithId(ctx.em, data.repricingId);
}

/**
 * Announces the repricing that a plan or server waits for again, with the present quantities: accounts takes none that does not begin at what recurs now. In
 * the transaction of the change.
 */
export async function announceAgain<Ctx extends RepricingContext>(ctx: Ctx, goods: RepricedGoods<Ctx>, resourceId: string): Promise<void> {
  const repricing = await repricingOf(ctx.em, resourceId);
  const good = repricing && (await goods.lock(ctx, resourceId));
  if (good) await announce(ctx, good, repricing);
}
