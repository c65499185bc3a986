// A notice is stored and answered. A job then asks its processor for the present state of what it is about, and applies that under the order's lock.
import { MINUTE, after } from '#platform/clock.ts';
import { type EntityManager, inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import type { Complete } from '#platform/jobs.ts';
import {
  type InboxNotice,
  type NoticeId,
  lateNotices,
  lostNotices,
  markProcessed,
  noteFailure,
  storeNotice,
  waitingNotice,
} from '../entities/inbox-notice.ts';
import { customerAt } from '../../payments/entities/processor-customer.ts';
import type { MethodName } from '../../payments/domain/payment-method.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import { methodOfSource, processorOf } from '../../payments/providers/payment-methods.ts';
import type { Finding, Notice } from '../../payments/providers/payment-processor.ts';
import type { BillingContext } from '../../context.ts';
import { applyDispute } from '../../disputes/services/apply-dispute.ts';
import { applyWarning } from '../../disputes/services/apply-warning.ts';
import { applyPayment, takenIfAgreed } from '../../incoming-payments/services/apply-payment.ts';
import { applyRefunds } from '../../refunds/services/apply-refunds.ts';
import { adoptMeans, loseMeans } from '../../subscriptions/services/saved-means.ts';
import { settleCharge } from '../../renewals/services/attempt-renewal.ts';
import { stepLater } from '../../renewals/services/step-subscription.ts';

/** How long a notice may wait for its job. */
const LOST_MS = 2 * MINUTE;
const MAX_LISTED = 200;
const MAX_ERROR_LENGTH = 1_000;

/** Verifies and reads a notice with the processor of its source. Errors: route_not_found, signature_invalid, vendor_unavailable. */
function readNotice(
  { providers }: BillingContext,
  { source, body, signature }: { source: string; body: string; signature: string },
): Notice | undefined | Promise<Notice | undefined> {
  const method = methodOfSource(source);
  const processor = method && providers.payments[method.name];
  if (!processor) throw fail('route_not_found');
  return processor.readNotice(body, signature);
}

/**
 * Verifies and stores a notice, once however often it is sent; a job processes it afterwards. Errors: signature_invalid, vendor_unavailable. Stored once
 * whatever is repeated, acted on after the answer.
 */
export async function receiveNotice(
  ctx: BillingContext,
  input: { source: string; body: string; signature: string },
): Promise<{ stored: boolean }> {
  const { source } = input;
  const notice = await readNotice(ctx, input);
  if (!notice) return { stored: false };
  const { id: noticeId, type, objectId } = notice;
  return inTransaction(ctx, async (tx) => {
    const stored = await storeNotice(tx.em, { source, noticeId, type, objectId, receivedAt: ctx.clock.now() });
    if (stored) await tx.jobs.enqueue(tx.em, 'accounts.notice-process', { source, noticeId });
    return { stored };
  });
}

export async function processNotice(ctx: BillingContext, id: NoticeId, complete?: Complete): Promise<void> {
  const notice = await waitingNotice(ctx.em, id);
  if (!notice) return;
  try {
    const apply = await lookAt(ctx, notice);
    await inTransaction(ctx, async (tx) => {
      await apply(tx);
      await markProcessed(tx.em, id, ctx.clock.now());
      await complete?.(tx.em);
    });
  } catch (error) {
    await noteFailure(ctx.em.fork() as EntityManager, id, { error: String(error).slice(0, MAX_ERROR_LENGTH), at: ctx.clock.now() });
    throw error;
  }
}

/** Notices that should have been processed by now, oldest first, at most 200. */
export const noticesThatWait = ({ em, clock }: BillingContext): Promise<InboxNotice[]> =>
  lateNotices(em, after(clock.now(), -LOST_MS), MAX_LISTED);

/** Enqueues a notice that was not processed again. Errors: notice_not_found. */
export const actOnNoticeAgain = (ctx: BillingContext, id: NoticeId): Promise<InboxNotice> =>
  inTransaction(ctx, async (tx) => {
    const notice = await waitingNotice(tx.em, id);
    if (!notice) throw fail('notice_not_found');
    await tx.jobs.enqueue(tx.em, 'accounts.notice-process', { source: notice.source, noticeId: notice.noticeId }, { key: notice.noticeId });
    return notice;
  });

/**
 * Asks the processor for the present state of what a notice is about, outside of any transaction. The returned function applies it in the caller's transaction.
 */
export async function lookAt(
  ctx: BillingContext,
  { source, type, objectId }: { source: string; type: string; objectId: string },
): Promise<(tx: BillingContext) => Promise<void>> {
  const method = methodOfSource(source);
  if (!method) throw new Error(`a notice of ${source}, which is no payment method`);
  const found = await takeAgreed(ctx, method.name, await processorOf(ctx.providers, method.name).lookAt({ type, objectId }));
  return async (tx) => void (found && (await applyFinding(tx, method, found)));
}

/** Applies what the processor has reported, by what it is about. */
const APPLY: {
  [About in Finding['about']]: (ctx: BillingContext, method: MethodDefinition, found: Extract<Finding, { about: About }>) => Promise<void>;
} = {
  payment: (ctx, method, { state }) => applyPayment(ctx, method, state),
  async saved(ctx, { name, processor }, { owner, meansId }) {
    const accountId = 'accountId' in owner ? owner.accountId : (await customerAt(ctx.em, processor, owner.customerId))?.accountId;
    if (accountId && meansId) await adoptMeans(ctx, name, accountId, meansId);
  },
  removed: (ctx, { processor }, { meansId }) => loseMeans(ctx, processor, meansId),
  /** A charge whose notice says that a period has ended: a job then takes the steps that are due for the subscription. */
  async charge(ctx, _, { state, periodOf }) {
    await settleCharge(ctx, state);
    if (periodOf) await stepLater(ctx, periodOf);
  },
  dispute: (ctx, method, { state }) => applyDispute(ctx, method, state),
  refund: applyRefunds,
  warning: (ctx, method, { state }) => applyWarning(ctx, method, state),
};

/** Collects a payment that its payer has agreed to. Undefined: there is nothing to do. */
async function takeAgreed(ctx: BillingContext, name: MethodName, found: Finding | undefined): Promise<Finding | undefined> {
  if (found?.about !== 'payment') return found;
  const state = await takenIfAgreed(ctx, name, found.state);
  return state && { about: 'payment', state };
}

const applyFinding = (ctx: BillingContext, method: MethodDefinition, found: Finding): Promise<void> =>
  (APPLY[found.about] as (ctx: BillingContext, method: MethodDefinition, found: Finding) => Promise<void>)(ctx, method, found);

/** Enqueues notices again whose job was lost. */
export async function resumeNotices(ctx: BillingContext): Promise<void> {
  for await (const { source, id: noticeId } of lostNotices(ctx.em, after(ctx.clock.now(), -LOST_MS)))
    await ctx.jobs.enqueue(ctx.em, 'accounts.notice-process', { source, noticeId }, { key: noticeId });
}
