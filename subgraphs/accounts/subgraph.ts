import { createDataRoute } from '#platform/kept-data-file.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { AbuseCase } from './abuse/entities/abuse-case.ts';
import { AbuseEntry } from './abuse/entities/abuse-entry.ts';
import { storeUse, noteReset } from './abuse/services/abuse-findings.ts';
import { Account } from './identity/entities/account.ts';
import { Activity } from './identity/entities/activity.ts';
import { ApiKey } from './keys/entities/api-key.ts';
import { ApiKeyDay } from './keys/entities/api-key-day.ts';
import { OAuthRecord } from './apps/entities/oauth-record.ts';
import { createOAuthRoute } from './apps/doors/oauth-routes.ts';
import { BillingDetails } from './billing/tax/entities/billing-details.ts';
import { Arrangement } from './sales/entities/arrangement.ts';
import { BillingSubscription } from './billing/subscriptions/entities/billing-subscription.ts';
import { Dispute } from './billing/disputes/entities/dispute.ts';
import { DisputeRecord } from './billing/disputes/entities/dispute-record.ts';
import { FraudWarning } from './billing/disputes/entities/fraud-warning.ts';
import { ProcessorCustomer } from './billing/payments/entities/processor-customer.ts';
import { ChatAttempt } from './identity/entities/chat-attempt.ts';
import { StaffRole } from './identity/entities/staff-role.ts';
import { StaffEnrolment } from './identity/entities/staff-enrolment.ts';
import { KnownDevice } from './identity/entities/known-device.ts';
import { ChatIdentity } from './identity/entities/chat-identity.ts';
import { Coupon } from './billing/coupons/entities/coupon.ts';
import { CouponCode } from './billing/coupons/entities/coupon-code.ts';
import { CouponUse } from './billing/coupons/entities/coupon-use.ts';
import { CreditRequest } from './billing/approvals/entities/credit-request.ts';
import { CryptoCheckout } from './billing/payments/entities/crypto-checkout.ts';
import { EmailChange } from './identity/entities/email-change.ts';
import { IdempotentRequest } from './billing/idempotency/entities/idempotent-request.ts';
import { IdentityLevel } from './billing/risk/entities/identity-level.ts';
import { OrderReview } from './billing/risk/entities/order-review.ts';
import { RiskRule } from './billing/risk/entities/risk-rule.ts';
import { Announcement } from './support/entities/announcement.ts';
import { Incident, IncidentUpdate } from './status/entities/incident.ts';
import { InboxNotice } from './billing/inbox/entities/inbox-notice.ts';
import { Invoice } from './billing/invoices/entities/invoice.ts';
import { InvoiceSettlement } from './billing/invoices/entities/invoice-settlement.ts';
import { Journal } from './billing/ledger/entities/journal.ts';
import { KeyRequest } from './keys/entities/key-request.ts';
import { Consent, LegalText } from './identity/entities/legal-text.ts';
import { MailTemplateVersion } from './mail/entities/mail-template.ts';
import { LedgerEntry } from './billing/ledger/entities/ledger-entry.ts';
import { Mail } from './mail/entities/mail.ts';
import { Order } from './billing/orders/entities/order.ts';
import { Impersonation } from './identity/entities/impersonation.ts';
import { Passkey } from './identity/entities/passkey.ts';
import { Payment } from './billing/payments/entities/payment.ts';
import { ProcessorMovement } from './billing/payouts/entities/processor-movement.ts';
import { ProcessorPayout } from './billing/payouts/entities/processor-payout.ts';
import { ProcessorReading } from './billing/payouts/entities/processor-reading.ts';
import { Recovery } from './identity/entities/recovery.ts';
import { RecoveryCode } from './identity/entities/recovery-code.ts';
import { RenewalAttempt } from './billing/renewals/entities/renewal-attempt.ts';
import { Repricing } from './billing/subscriptions/entities/repricing.ts';
import { storeCosts } from './billing/finance/services/follow-costs.ts';
import { dropAnnounced, storeAnnounced } from './billing/subscriptions/services/follow-repricing.ts';
import { askAboutPrice, tellOfPrice, tellOfPriceEnd } from './billing/subscriptions/services/notify-of-prices.ts';
import { Refund } from './billing/refunds/entities/refund.ts';
import { SalesRequest } from './sales/entities/sales-request.ts';
import { Session } from './identity/entities/session.ts';
import { StaffAct } from './support/entities/staff-act.ts';
import { storeStaffAct } from './support/services/staff-acts.ts';
import { createStaffActsRoute } from './support/doors/staff-acts-file.ts';
import { SetUpCode } from './identity/entities/set-up-code.ts';
import { SignInChallenge } from './identity/entities/sign-in-challenge.ts';
import { SignUp } from './identity/entities/sign-up.ts';
import { TeamInvitation } from './teams/entities/team-invitation.ts';
import { TeamMember } from './teams/entities/team-member.ts';
import { Totp } from './identity/entities/totp.ts';
import { createWebhookRoute } from './billing/inbox/doors/webhooks.ts';
import { signatureHeadersOf } from './billing/payments/providers/payment-methods.ts';
import { createIdentityNoticesRoute } from './billing/verifications/doors/identity-notices.ts';
import { createFinanceRoute } from './billing/finance/doors/finance-files.ts';
import { createEvidenceRoute } from './billing/disputes/doors/evidence-download.ts';
import { storeRecords } from './billing/disputes/services/evidence.ts';
import { createInvoiceRoute } from './billing/invoices/doors/invoice-download.ts';
import { checkVendors } from './support/services/vendor-checks.ts';
import { jobs } from './jobs.ts';
import { figures } from './figures.ts';
import { kept } from './kept.ts';
import { sealed } from './sealed.ts';
import type { AccountsProviders } from './context.ts';
import { OrderTax, TaxEvidence } from './billing/tax/entities/order-tax.ts';
import { AccountVatId, VatIdCheck } from './billing/tax/entities/vat-id.ts';
import { createProviders } from './providers.ts';
import { outsideRulesOf } from './webhooks/configuration.ts';
import { PushDevice } from './push/entities/push-device.ts';
import { PushKey } from './push/entities/push-key.ts';
import { PushMessage } from './push/entities/push-message.ts';
import { WebhookAttempt } from './webhooks/entities/webhook-attempt.ts';
import { WebhookEndpoint } from './webhooks/entities/webhook-endpoint.ts';
import { WebhookEvent } from './webhooks/entities/webhook-event.ts';
import { customerReactions } from './webhooks/services/store-events.ts';
import { noteFact, noteWithdrawal } from './identity/services/activity.ts';
import { placeTopUp } from './billing/checkout/services/place-automatic.ts';
import { refuseForStock, takeHold } from './billing/checkout/services/await-stock.ts';
import { endWithServer } from './billing/subscriptions/services/end-for-customer.ts';
import { markDelivered } from './billing/checkout/services/mark-delivered.ts';
import { creditDowntime } from './billing/ledger/services/credit-downtime.ts';
import { refundUndelivered } from './billing/refunds/services/undelivered.ts';
import {
  notifyDeleted,
  notifyHandled,
  notifyOfStock,
  notifyReady,
  notifyReset,
  notifyLapsed,
  notifyPaused,
  notifyWithdrawn,
  warnOfEnd,
  notifyTopUpHeld,
  notifyTopUpStopped,
  warnOfBalance,
} from './mail/services/notify-of-products.ts';

export const accounts: SubgraphDefinition<AccountsProviders> = {
  name: 'accounts',
  schema: async () => (await import('./schema.ts')).schema,
  entities: [
    AbuseCase,
    AbuseEntry,
    Arrangement,
    Account,
    Activity,
    AccountVatId,
    ApiKey,
    ApiKeyDay,
    BillingDetails,
    BillingSubscription,
    Repricing,
    ProcessorCustomer,
    ProcessorMovement,
    ProcessorPayout,
    ProcessorReading,
    ChatAttempt,
    StaffEnrolment,
    StaffRole,
    KnownDevice,
    ChatIdentity,
    Consent,
    Coupon,
    CouponCode,
    CouponUse,
    CreditRequest,
    CryptoCheckout,
    Dispute,
    DisputeRecord,
    EmailChange,
    FraudWarning,
    IdempotentRequest,
    IdentityLevel,
    InboxNotice,
    Announcement,
    Impersonation,
    Incident,
    IncidentUpdate,
    Invoice,
    InvoiceSettlement,
    Journal,
    KeyRequest,
    LedgerEntry,
    LegalText,
    MailTemplateVersion,
    Mail,
    OAuthRecord,
    Order,
    OrderReview,
    OrderTax,
    Passkey,
    Payment,
    Recovery,
    RecoveryCode,
    Refund,
    RenewalAttempt,
    RiskRule,
    SalesRequest,
    Session,
    SetUpCode,
    SignInChallenge,
    SignUp,
    StaffAct,
    TaxEvidence,
    TeamInvitation,
    TeamMember,
    Totp,
    VatIdCheck,
    PushDevice,
    PushKey,
    PushMessage,
    WebhookAttempt,
    WebhookEndpoint,
    WebhookEvent,
  ],
  providers: createProviders,
  jobs,
  sealed,
  kept,
  figures,
  checks: checkVendors,
  doors: (parts) => ({
    routes: [
      createDataRoute('account', 'accountData', parts),
      createEvidenceRoute(parts),
      createInvoiceRoute(parts),
      createFinanceRoute(parts),
      createStaffActsRoute(parts),
      createIdentityNoticesRoute(parts),
      createOAuthRoute({ ...parts, outside: outsideRulesOf(parts.config) }),
      createWebhookRoute({ ...parts, signatureHeadersOf }),
    ],
  }),
  reactions: {
    'fulfilment.delivered': markDelivered,
    'costs.counted': storeCosts,
    'repricing.announced': storeAnnounced,
    'repricing.withdrawn': dropAnnounced,
    'account_price.set': tellOfPrice,
    'account_price.requested': askAboutPrice,
    'account_price.ended': tellOfPriceEnd,
    'fulfilment.failed': refundUndelivered,
    'fulfilment.recorded': storeRecords,
    // The first release appended only the next eight event types for deliveries and failures, and may have left some unread. Where the general event was
    // appended too, it has done the work already.
    'compute_dedicated.delivered': markDelivered,
    'compute_dedicated.failed': refundUndelivered,
    'compute_vps.adjusted': markDelivered,
    'compute_vps.created': [markDelivered, notifyReady],
    'compute_vps.failed': refundUndelivered,
    'residential_plan.created': markDelivered,
    'static_plan.delivered': markDelivered,
    'static_plan.failed': refundUndelivered,
    'compute_stock.held': takeHold,
    'compute_stock.refused': refuseForStock,
    'compute_server.handled': [endWithServer, notifyHandled],
    'compute_vps.deleted': notifyDeleted,
    'static_plan.credit_earned': creditDowntime,
    'static_stock.available': notifyOfStock,
    'static_stock.held': takeHold,
    'static_stock.refused': refuseForStock,
    'residential_plan.reset': [noteFact, notifyReset, noteReset],
    'residential_plan.use_found': storeUse,
    'static_plan.use_found': storeUse,
    'residential_plan.limited': noteFact,
    'residential_plan.alerts_set': noteFact,
    'residential_plan.network_added': noteFact,
    'residential_plan.network_removed': noteFact,
    'residential_plan.log_in_set': noteFact,
    'residential_plan.request_log_set': noteFact,
    'residential_plan.request_log_deleted': noteFact,
    'residential_plan.auto_top_up_set': noteFact,
    'residential_plan.top_up_asked': placeTopUp,
    'residential_plan.top_up_held': notifyTopUpHeld,
    'residential_plan.top_up_stopped': notifyTopUpStopped,
    'residential_plan.ends_soon': warnOfEnd,
    'residential_plan.lapsed': notifyLapsed,
    'residential_plan.withdrawn': [noteWithdrawal, notifyWithdrawn],
    'static_plan.credentials_changed': [noteFact, notifyReset, noteReset],
    'static_plan.network_added': noteFact,
    'static_plan.network_removed': noteFact,
    'static_plan.log_in_set': noteFact,
    'usage_hosts.chosen': noteFact,
    'residential_plan.balance_low': warnOfBalance,
    'residential_plan.paused': notifyPaused,
    'staff.acted': storeStaffAct,
  },
  readers: { webhooks: customerReactions },
};
