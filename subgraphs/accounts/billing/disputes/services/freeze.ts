// Freezes a purchase while its payment is disputed, by the operator's rule: its seller stops it, and its renewals wait. It is thawed when the dispute is won.
import { appendEvents } from '#platform/events.ts';
import { isFreezing } from '../domain/dispute.ts';
import { type Dispute, isFrozenByAnother } from '../entities/dispute.ts';
import { existingOrder, type Order } from '../../orders/entities/order.ts';
import { lockSubscription } from '../../subscriptions/entities/billing-subscription.ts';
import type { DisputesContext } from '../context.ts';
import { postToOwner } from '../../../mail/services/mails.ts';

/** Freezes or thaws the purchase as the rule says, in the transaction of `ctx.em`, which holds the order's lock. */
export async function freezeAsWanted(ctx: DisputesContext, order: Order, dispute: Dispute): Promise<void> {
  const wanted = isFreezing(ctx.providers.disputeFreeze, dispute);
  if (wanted === Boolean(dispute.frozenAt)) return;
  dispute.frozenAt = wanted ? ctx.clock.now() : null;
  if (await isFrozenByAnother(ctx.em, dispute)) return;
  const subscription = order.subscriptionId ? await lockSubscription(ctx.em, order.subscriptionId) : null;
  if (subscription) subscription.frozenAt = dispute.frozenAt;
  const purchase = await existingOrder(ctx.em, dispute.purchaseId);
  await appendEvents(ctx.em, {
    type: wanted ? 'purchase.frozen' : 'purchase.thawed',
    at: ctx.clock.now(),
    accountId: purchase.accountId,
    subject: purchase.id,
    data: { seller: purchase.seller, orderId: purchase.id, ...(subscription && { subscriptionId: subscription.id }) },
  });
  if (subscription && !wanted)
    await ctx.jobs.enqueue(ctx.em, 'accounts.subscription-step', { id: subscription.id }, { key: subscription.id });
  await postToOwner(ctx, purchase.accountId, wanted ? 'purchase_frozen' : 'purchase_thawed', {
    title: purchase.title,
    support: ctx.providers.supportEmail,
    url: `${ctx.providers.publicUrl}/orders/${purchase.id}`,
  });
}
