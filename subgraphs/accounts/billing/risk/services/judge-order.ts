// Applies the rules to an order when it is placed and when it is paid. A finding holds the order or refuses it; a person decides about orders that are held.
import { DAY, HOUR, after, daysBefore } from '#platform/clock.ts';
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import type { OfferTerms } from '#commerce/offers.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import { record } from '../../../identity/services/activity.ts';
import type { PaymentsContext } from '../../payments/context.ts';
import type { RiskContext } from '../context.ts';
import { detailsOfAccount } from '../../tax/entities/billing-details.ts';
import { type Order, hasPaidOrder } from '../../orders/entities/order.ts';
import { type RiskFacts, type RiskFinding, findRisk } from '../domain/risk-rule.ts';
import { levelOfAccount } from '../entities/identity-level.ts';
import { reviewOfOrder, saveReview } from '../entities/order-review.ts';
import { countryOfTrace, forgetTraces, insertTrace, placedSince } from '../entities/order-trace.ts';
import { rulesInForce } from '../entities/risk-rule.ts';

/** A rule refuses an order. The findings are for the desk, not for the buyer. */
export class OrderRefused extends Error {
  readonly findings: readonly RiskFinding[];
  constructor(findings: readonly RiskFinding[]) {
    super('a rule refuses the order');
    this.findings = findings;
  }
}

/** The buyer: whether the account has paid for anything before, and the hash of the client's network. */
interface Placer {
  known: boolean;
  from: string;
}

/** How far back a rule can count. */
const TRACED_MS = 7 * DAY;

type Facts = Pick<RiskFacts, 'isNew' | 'totalMinor' | 'item' | 'meansCountry' | 'addressCountry'> & { orders: readonly Date[] };

async function factsOf({ em, clock }: PaymentsContext, accountId: string, { orders, ...facts }: Facts): Promise<RiskFacts> {
  const { email } = await existingAccount(em, accountId);
  return {
    ...facts,
    ordersWithin: (hours) => orders.filter((at) => at > after(clock.now(), -hours * HOUR)).length,
    mailDomain: email?.slice(email.lastIndexOf('@') + 1).toLowerCase(),
    identityLevel: await levelOfAccount(em, accountId, clock.now()),
    billingCountry: (await detailsOfAccount(em, accountId))?.country,
  };
}

/**
 * Judges a purchase in the transaction that places it, before it is written. Returns the findings for which it will be held once it is paid. Throws
 * OrderRefused.
 */
export async function judgePlaced(
  ctx: PaymentsContext,
  { accountId, item, totalMinor }: Pick<OfferTerms, 'accountId' | 'item' | 'totalMinor'>,
  buyer: Placer,
): Promise<RiskFinding[]> {
  const rules = await rulesInForce(ctx.em);
  if (rules.length === 0) return [];
  const before = await placedSince(ctx.em, { accountId, placedFrom: buyer.from }, after(ctx.clock.now(), -TRACED_MS));
  const orders = [...before, ctx.clock.now()];
  const findings = findRisk(
    rules,
    await factsOf(ctx, accountId, { isNew: !buyer.known, totalMinor, item, meansCountry: undefined, addressCountry: undefined, orders }),
    'PLACED',
  );
  if (findings.some(({ outcome }) => outcome === 'REFUSE')) throw new OrderRefused(findings);
  return findings;
}

/** Stores the order's network and the findings, in the transaction that has written the order. */
export async function noteFindings(ctx: RiskContext, order: Order, buyer: Placer, findings: readonly RiskFinding[]): Promise<void> {
  const notedAt = ctx.clock.now();
  const { viewer, providers } = ctx;
  // A key's address is that of a program, wherever that runs.
  const country = viewer.kind === 'session' ? providers.addressCountry.of(viewer.address) : undefined;
  await insertTrace(ctx.em, { orderId: order.id, placedFrom: buyer.from, known: buyer.known, placedAt: notedAt, country });
  if (findings.length > 0) await saveReview(ctx.em, reviewRow(order.id, 'NOTED', findings, notedAt));
}

const reviewRow = (orderId: string, state: 'NOTED' | 'WAITING', findings: readonly RiskFinding[], notedAt: Date) => ({
  orderId,
  state,
  findings: [...findings],
  notedAt,
  decidedAt: null,
  decidedBy: null,
  reason: null,
});

/** Records, in a transaction of its own, that an order was refused before it was written; nothing else of it is kept. */
export const noteRefusal = (ctx: PaymentsContext, { findings }: OrderRefused): Promise<void> =>
  inTransaction(ctx, (tx) =>
    record(tx, {
      type: 'order.declined',
      accountId: accountOf(tx),
      subject: accountOf(tx),
      data: { rules: findings.map(({ rule }) => rule) },
    }),
  );

/**
 * Judges an order in the transaction that pays it, and returns whether it is held. An order that a rule refuses now is paid back by a job, since its money has
 * arrived already.
 */
export async function isHeld(ctx: PaymentsContext, order: Order, meansCountry: string | undefined): Promise<boolean> {
  if (order.kind !== 'PURCHASE') return false;
  const noted = await reviewOfOrder(ctx.em, order.id);
  const { accountId } = order;
  const rules = await rulesInForce(ctx.em);
  const isNew = !(await hasPaidOrder(ctx.em, accountId, order.id));
  const facts =
    rules.length > 0 &&
    (await factsOf(ctx, accountId, {
      isNew,
      totalMinor: order.totalMinor,
      item: undefined,
      meansCountry,
      addressCountry: await countryOfTrace(ctx.em, order.id),
      orders: [],
    }));
  const findings = [...(noted?.findings ?? []), ...(facts ? findRisk(rules, facts, 'PAID') : [])];
  if (findings.length === 0) return false;
  await saveReview(ctx.em, reviewRow(order.id, 'WAITING', findings, noted?.notedAt ?? ctx.clock.now()));
  if (findings.some(({ outcome }) => outcome === 'REFUSE')) await ctx.jobs.enqueue(ctx.em, 'accounts.order-refuse', { orderId: order.id });
  else await postToOwner(ctx, accountId, 'order_held', { title: order.title, url: `${ctx.providers.publicUrl}/orders/${order.id}` });
  // A level that came after the order was placed, or comes just now, has found nothing to release.
  if (findings.some(({ kind }) => kind === 'IDENTITY')) await ctx.jobs.enqueue(ctx.em, 'accounts.identity-release', { accountId });
  return true;
}

export const forgetOldTraces = ({ em, clock, providers }: PaymentsContext): Promise<void> =>
  forgetTraces(em, daysBefore(clock.now(), providers.retention.traces));
