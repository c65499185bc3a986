// A notice is stored and answered; what it is about is asked of its processor anew, and applied under the order's lock.
import { MINUTE, after } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import type { Complete } from '#platform/jobs.ts';
import { type NoticeId, lostNotices, markProcessed, storeNotice, waitingNotice } from '../entities/inbox-notice.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import { methodOfSource, processorOf } from '../../payments/providers/payment-methods.ts';
import type { Finding, Notice } from '../../payments/providers/payment-processor.ts';
import type { Context } from '../../../context.ts';
import { applyPayment } from '../../payments/services/apply-payment.ts';
import { adoptMeans } from '../../payments/services/processor-customer.ts';
import { settleCharge } from '../../subscriptions/services/attempt-renewal.ts';
import { stepLater } from '../../subscriptions/services/step-subscription.ts';

/** How long a notice may wait for its job. */
const LOST_MS = 2 * MINUTE;

/** Who can tell a true notice of a source from a forged one. Errors: route_not_found, signature_invalid. */
function readNotice(
  { providers }: Context,
  { source, body, signature }: { source: string; body: string; signature: string },
): Notice | undefined {
  const method = methodOfSource(source);
  const processor = method && providers.payments[method.name];
  if (!processor) throw fail('route_not_found');
  return processor.readNotice(body, signature);
}

/** Errors: signature_invalid. Stored once whatever is repeated, acted on after the answer. */
export async function receiveNotice(
  ctx: Context,
  input: { source: string; body: string; signature: string },
): Promise<{ stored: boolean }> {
  const { source } = input;
  const notice = readNotice(ctx, input);
  if (!notice) return { stored: false };
  const { id: noticeId, type, objectId } = notice;
  return inTransaction(ctx, async (tx) => {
    const stored = await storeNotice(tx.em, { source, noticeId, type, objectId, receivedAt: ctx.clock.now() });
    if (stored) await tx.jobs.enqueue(tx.em, 'accounts.notice-process', { source, noticeId });
    return { stored };
  });
}

export async function processNotice(ctx: Context, id: NoticeId, complete?: Complete): Promise<void> {
  const notice = await waitingNotice(ctx.em, id);
  if (!notice) return;
  const apply = await lookAt(ctx, notice);
  await inTransaction(ctx, async (tx) => {
    await apply(tx);
    await markProcessed(tx.em, id, ctx.clock.now());
    await complete?.(tx.em);
  });
}

/** Asks the processor of a notice what holds now; the answer is applied in the caller's transaction. */
async function lookAt(
  ctx: Context,
  { source, type, objectId }: { source: string; type: string; objectId: string },
): Promise<(tx: Context) => Promise<void>> {
  const method = methodOfSource(source);
  if (!method) throw new Error(`a notice of ${source}, which is no payment method`);
  const found = await processorOf(ctx.providers, method.name).lookAt({ type, objectId });
  return async (tx) => void (found && (await applyFinding(tx, method, found)));
}

/** A charge for a period after one that has ended: whatever is due for its subscription is done by its job. */
async function applyFinding(ctx: Context, method: MethodDefinition, found: Finding): Promise<void> {
  if (found.about === 'payment') return applyPayment(ctx, method, found.state);
  if (found.about === 'saved') return void (found.meansId && (await adoptMeans(ctx, found.accountId, found.meansId)));
  await settleCharge(ctx, found.state);
  if (found.periodOf) await stepLater(ctx, found.periodOf);
}

/** Notices whose job was lost are enqueued again. */
export async function resumeNotices(ctx: Context): Promise<void> {
  for await (const { source, id: noticeId } of lostNotices(ctx.em, after(ctx.clock.now(), -LOST_MS)))
    await ctx.jobs.enqueue(ctx.em, 'accounts.notice-process', { source, noticeId }, { key: noticeId });
}
