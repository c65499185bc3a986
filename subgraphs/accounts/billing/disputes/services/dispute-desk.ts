// What the desk does about disputes and warnings of fraud.
import { DAY, after, toDay } from '#platform/clock.ts';
import { refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { formatMoney } from '#commerce/money.ts';
import { WARNED_DAYS_BEFORE } from '../domain/dispute.ts';
import { type Dispute, disputeWithId, disputesDue, disputesListed, lockDispute, openDisputes } from '../entities/dispute.ts';
import { type FraudWarning, openWarnings, warningWithId } from '../entities/fraud-warning.ts';
import { existingOrder } from '../../orders/entities/order.ts';
import { methodOfProcessor, processorOf } from '../../payments/providers/payment-methods.ts';
import type { DisputeAnswers, DisputeState } from '../../payments/providers/payer-disputes.ts';
import type { DisputesContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { applyDispute } from './apply-dispute.ts';
import { evidenceOf } from './evidence.ts';
import { TEXT_MAX } from '../../../../../schema/limits.ts';

export const listDisputes = ({ em }: DisputesContext, open: boolean): Promise<Dispute[]> => disputesListed(em, open);

/** Errors: dispute_not_found. */
export async function findDispute({ em }: DisputesContext, id: string): Promise<Dispute> {
  const dispute = await disputeWithId(em, id);
  if (!dispute) throw fail('dispute_not_found');
  return dispute;
}

/** Sends the pack of evidence to the processor, once. Errors: dispute_not_found, own_account_refused, action_not_allowed, parameter_invalid, vendor_unavailable. */
export function submitEvidence(ctx: DisputesContext, { id, statement }: { id: string; statement?: string | null }): Promise<Dispute> {
  const words = (statement ?? '').trim();
  if (words.length > TEXT_MAX.disputeStatement)
    throw fail('parameter_invalid', { field: 'statement', reason: because('message_too_long', { max: TEXT_MAX.disputeStatement }) });
  return answer(ctx, id, 'dispute.answered', async (dispute, answers) =>
    answers.submit(dispute.processorId, await evidenceOf(ctx, dispute, words)),
  );
}

/** Accepts a dispute: the payer keeps the money. Errors: dispute_not_found, own_account_refused, action_not_allowed, vendor_unavailable. */
export const giveIn = (ctx: DisputesContext, id: string): Promise<Dispute> =>
  answer(ctx, id, 'dispute.given_in', (dispute, answers) => answers.giveIn(dispute.processorId));

async function answer(
  ctx: DisputesContext,
  id: string,
  type: 'dispute.answered' | 'dispute.given_in',
  ask: (dispute: Dispute, answers: DisputeAnswers) => Promise<DisputeState>,
): Promise<Dispute> {
  const dispute = await findDispute({ ...ctx, em: ctx.em.fork() }, id);
  refuseOwnAccount(ctx, dispute.accountId);
  if (dispute.status !== 'NEEDS_RESPONSE')
    throw fail('action_not_allowed', { reason: because('dispute_not_open', { status: dispute.status }) });
  const state = await ask(dispute, answersOf(ctx, dispute));
  return inTransaction(ctx, async (tx) => {
    await applyDispute(tx, methodOfProcessor(dispute.processor), state);
    const locked = await lockDispute(tx.em, id);
    if (!locked) throw fail('dispute_not_found');
    if (type === 'dispute.answered') locked.submittedAt ??= ctx.clock.now();
    await record(tx, { type, accountId: locked.accountId, subject: id, data: { order: locked.orderId } });
    return locked;
  });
}

function answersOf({ providers }: DisputesContext, { processor }: Pick<Dispute, 'processor'>): DisputeAnswers {
  const { disputes } = processorOf(providers, methodOfProcessor(processor).name);
  if (!disputes) throw new Error(`nobody disputes anything at ${processor}`);
  return disputes;
}

export const listWarnings = ({ em }: DisputesContext): Promise<FraudWarning[]> => openWarnings(em);

/** Closes a warning. Errors: warning_not_found. */
export const closeWarning = (ctx: DisputesContext, id: string): Promise<FraudWarning> =>
  inTransaction(ctx, async (tx) => {
    const warning = await warningWithId(tx.em, id);
    if (!warning) throw fail('warning_not_found');
    warning.closedAt ??= ctx.clock.now();
    await record(tx, { type: 'fraud_warning.closed', accountId: warning.accountId, subject: id, data: { order: warning.orderId } });
    return warning;
  });

/** Runs each hour: compares open disputes with what their processor says, since a notice may be lost, and mails the desk about deadlines that are near. */
export async function watchDisputes(ctx: DisputesContext): Promise<void> {
  for (const { id, processor, processorId } of await openDisputes(ctx.em.fork()))
    try {
      const state = await answersOf(ctx, { processor }).lookUp(processorId);
      if (state) await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => applyDispute(tx, methodOfProcessor(processor), state));
    } catch (error) {
      ctx.log.error({ dispute: id, error: String(error) }, 'a dispute could not be looked at');
    }
  for (const { id } of await disputesDue(ctx.em.fork(), after(ctx.clock.now(), WARNED_DAYS_BEFORE * DAY)))
    await inTransaction({ ...ctx, em: ctx.em.fork() }, (tx) => warnOfDeadline(tx, id));
}

async function warnOfDeadline(ctx: DisputesContext, id: string): Promise<void> {
  const dispute = await lockDispute(ctx.em, id);
  if (!dispute?.respondBy || dispute.warnedAt || dispute.status !== 'NEEDS_RESPONSE') return;
  dispute.warnedAt = ctx.clock.now();
  const { title } = await existingOrder(ctx.em, dispute.orderId);
  const { supportEmail, publicUrl } = ctx.providers;
  await postMail(ctx, supportEmail, 'dispute_due', {
    title,
    amount: formatMoney({ amountMinor: dispute.amountMinor, currency: dispute.currency }),
    until: toDay(dispute.respondBy),
    url: `${publicUrl}/support/disputes`,
  });
}
