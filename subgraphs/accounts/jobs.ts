import { MINUTE, after, daysBefore } from '#platform/clock.ts';
import { forgetEvents } from '#platform/events.ts';
import type { JobDefinition, JobTable } from '#platform/jobs.ts';
import type { PaymentMethod } from './billing/payments/domain/payment-method.ts';
import type { Context } from './context.ts';
import { forgetOAuthRecords } from './apps/services/oauth-records.ts';
import { sendPush, sweepPush } from './push/services/push-messages.ts';
import { deliverEvents, forgetOldEvents, sendOnce, sweepEndpoints } from './webhooks/services/deliver-events.ts';
import { forgetInvitations } from './teams/entities/team-invitation.ts';
import { forgetWhatIsOver } from './identity/services/retention.ts';
import { mailDeviceLink } from './identity/services/device-link.ts';
import { warnOfExpiry } from './keys/services/key-use.ts';
import { forgetAnswers } from './billing/idempotency/services/idempotency.ts';
import { resumeMails, sendMail } from './mail/services/mails.ts';
import { chargeAutomatic } from './billing/checkout/services/charge-automatic.ts';
import { watchDisputes } from './billing/disputes/services/dispute-desk.ts';
import { openCheckout } from './billing/orders/services/orders.ts';
import { mailRecovery } from './identity/services/recovery.ts';
import { forgetAtProcessor, forgetClosed } from './billing/refunds/services/close-payments.ts';
import { payOutIfClosed } from './billing/refunds/services/pay-out-credit.ts';
import { resumeRefunds, sendRefund } from './billing/refunds/services/send-refund.ts';
import { spendCredit } from './billing/renewals/services/cover-renewal.ts';
import { reconcileRenewals, stepSubscription, sweepSubscriptions } from './billing/renewals/services/step-subscription.ts';
import { giveUpCharge, syncSubscription } from './billing/renewals/services/sync-subscription.ts';
import { mailVerification } from './identity/services/sign-up.ts';
import { closeCheckout, closeOrders, reconcileOrders, watchClosed } from './billing/incoming-payments/services/settle-orders.ts';
import { checkVatId, checkVatIds } from './billing/tax/services/check-vat-id.ts';
import { forgetOldStaffActs } from './support/services/staff-acts.ts';
import { forgetOldEvidence } from './billing/tax/services/order-tax.ts';
import { sweepProcessors } from './billing/inbox/services/sweep-processors.ts';
import { readBalances } from './billing/payouts/services/read-balance.ts';
import { forgetOldTraces } from './billing/risk/services/judge-order.ts';
import { releaseVerified } from './billing/verifications/services/identity-checks.ts';
import { refuseByRule } from './billing/reviews/services/risk-desk.ts';
import { processNotice, resumeNotices } from './billing/inbox/services/notices.ts';

const job = <Data extends object>(definition: JobDefinition<Context, Data>) => definition;

/** A job that has not started after this time counts as lost, and is enqueued again. */
const LOST_MS = 5 * MINUTE;

export const jobs: JobTable<Context> = [
  job<{ id: string }>({ name: 'accounts.mail-send', run: (ctx, { id }) => sendMail(ctx, id) }),
  job<{ source: string; noticeId: string }>({
    name: 'accounts.notice-process',
    run: (ctx, id, complete) => processNotice(ctx, id, complete),
  }),
  job<{ checkoutId: string; method?: PaymentMethod }>({ name: 'accounts.checkout-close', run: closeCheckout }),
  job<{ orderId: string; meansId?: string }>({ name: 'accounts.top-up-charge', run: chargeAutomatic }),
  job<{ orderId: string }>({ name: 'accounts.order-refuse', run: refuseByRule }),
  job<{ accountId: string }>({ name: 'accounts.identity-release', run: releaseVerified }),
  job<{ orderId: string }>({ name: 'accounts.checkout-open', run: async (ctx, { orderId }) => void (await openCheckout(ctx, orderId)) }),
  job({ name: 'accounts.disputes-watch', cron: '11 * * * *', run: watchDisputes }),
  job({ name: 'accounts.processors-sweep', cron: '41 3 * * *', run: sweepProcessors }),
  job({ name: 'accounts.balances-read', cron: '37 * * * *', run: readBalances }),
  job({ name: 'accounts.crypto-watch', cron: '21 * * * *', run: watchClosed }),
  job<{ email: string }>({ name: 'accounts.verification-mail', run: async (ctx, { email }) => void (await mailVerification(ctx, email)) }),
  job<{ email: string; next?: string }>({ name: 'accounts.device-link-mail', run: mailDeviceLink }),
  job<{ email: string; next?: string }>({ name: 'accounts.recovery-mail', run: mailRecovery }),
  job({ name: 'accounts.keys-warn', cron: '7 * * * *', run: warnOfExpiry }),
  job<{ accountId: string }>({ name: 'accounts.customer-forget', run: (ctx, { accountId }) => forgetAtProcessor(ctx, accountId) }),
  job<{ id: string }>({ name: 'accounts.refund-send', run: (ctx, { id }) => sendRefund(ctx, id) }),
  job<{ id: string }>({ name: 'accounts.subscription-step', run: (ctx, { id }) => stepSubscription(ctx, id) }),
  job<{ id: string }>({ name: 'accounts.subscription-sync', run: (ctx, { id }) => syncSubscription(ctx, id) }),
  job<{ accountId: string }>({
    name: 'accounts.credit-spend',
    async run(ctx, { accountId }) {
      await spendCredit(ctx, accountId);
      await payOutIfClosed(ctx, accountId);
    },
  }),
  job<{ id: string }>({ name: 'accounts.webhook-deliver', run: (ctx, { id }) => deliverEvents(ctx, id) }),
  job<{ accountId: string; endpointId: string; eventId: string }>({ name: 'accounts.webhook-send-once', run: sendOnce }),
  job<{ id: string }>({ name: 'accounts.push-send', run: (ctx, { id }) => sendPush(ctx, id) }),
  job({ name: 'accounts.push-sweep', cron: '* * * * *', run: sweepPush }),
  job({ name: 'accounts.webhooks-sweep', cron: '* * * * *', run: sweepEndpoints }),
  job<{ orderId: string }>({ name: 'accounts.invoice-give-up', run: (ctx, { orderId }) => giveUpCharge(ctx, orderId) }),
  job({ name: 'accounts.subscriptions-sweep', cron: '* * * * *', run: sweepSubscriptions }),
  job({ name: 'accounts.renewals-reconcile', cron: '23 * * * *', run: reconcileRenewals }),
  job<{ accountId: string }>({ name: 'accounts.vat-id-check', run: (ctx, { accountId }) => checkVatId(ctx, accountId) }),
  job({ name: 'accounts.vat-ids-check', cron: '*/5 * * * *', run: checkVatIds }),
  job({ name: 'accounts.orders-reconcile', cron: '* * * * *', run: reconcileOrders }),
  job({ name: 'accounts.orders-close', cron: '* * * * *', run: closeOrders }),
  job({
    name: 'accounts.events-forget',
    cron: '29 4 * * *',
    run: async ({ em, clock, providers }) => void (await forgetEvents(em, daysBefore(clock.now(), providers.retention.events))),
  }),
  job({
    name: 'accounts.sweep',
    cron: '*/5 * * * *',
    async run(ctx) {
      const now = ctx.clock.now();
      await resumeMails(ctx, after(now, -LOST_MS));
      await resumeNotices(ctx);
      await forgetClosed(ctx);
      await resumeRefunds(ctx, after(now, -LOST_MS));
      await forgetAnswers(ctx);
      await forgetWhatIsOver(ctx);
      await forgetInvitations(ctx.em, ctx.clock.now());
      await forgetOldEvidence(ctx);
      await forgetOldStaffActs(ctx);
      await forgetOldEvents(ctx);
      await forgetOldTraces(ctx);
      await forgetOAuthRecords(ctx);
    },
  }),
];
