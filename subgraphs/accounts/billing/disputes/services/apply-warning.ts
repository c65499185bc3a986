import { newId } from '#platform/ids.ts';
import { insertWarning, warningAt } from '../entities/fraud-warning.ts';
import type { MethodDefinition } from '../../payments/providers/method-definition.ts';
import type { FraudWarning } from '../../payments/providers/payer-disputes.ts';
import type { DisputesContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { postMail } from '../../../mail/services/mails.ts';
import { lockPaymentOf } from '../../refunds/services/apply-refunds.ts';

/**
 * Stores a warning of fraud and mails the desk, once. Nothing else happens by itself, because many payers who were warned about never dispute. In the caller's
 * transaction.
 */
export async function applyWarning(
  ctx: DisputesContext,
  method: MethodDefinition,
  { id: processorId, payment, kind, actionable }: FraudWarning,
): Promise<void> {
  const found = await lockPaymentOf(ctx, method, payment);
  if (!found) return;
  const { id: orderId, accountId, title } = found.order;
  const known = await warningAt(ctx.em, method.processor, processorId);
  if (known) {
    known.actionable = actionable;
    return;
  }
  const id = newId('warn', ctx.clock);
  const warnedAt = ctx.clock.now();
  await insertWarning(ctx.em, {
    id,
    processor: method.processor,
    processorId,
    orderId,
    accountId,
    kind,
    actionable,
    warnedAt,
    closedAt: null,
  });
  await record(ctx, { type: 'fraud_warning.received', accountId, subject: id, data: { order: orderId, kind }, actor: 'PLATFORM' });
  const { supportEmail, publicUrl } = ctx.providers;
  await postMail(ctx, supportEmail, 'fraud_warned', { title, kind, url: `${publicUrl}/support/disputes` });
}
