import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { Account } from './identity/entities/account.ts';
import { Activity } from './identity/entities/activity.ts';
import { ApiKey } from './keys/entities/api-key.ts';
import { ApiKeyDay } from './keys/entities/api-key-day.ts';
import { BillingDetails } from './billing/invoices/entities/billing-details.ts';
import { Arrangement } from './support/entities/arrangement.ts';
import { BillingSubscription } from './billing/subscriptions/entities/billing-subscription.ts';
import { ProcessorCustomer } from './billing/payments/entities/processor-customer.ts';
import { ChatAttempt } from './identity/entities/chat-attempt.ts';
import { StaffEnrolment } from './identity/entities/staff-enrolment.ts';
import { KnownDevice } from './identity/entities/known-device.ts';
import { ChatIdentity } from './identity/entities/chat-identity.ts';
import { CryptoCheckout } from './billing/payments/entities/crypto-checkout.ts';
import { EmailChange } from './identity/entities/email-change.ts';
import { IdempotentRequest } from './billing/orders/entities/idempotent-request.ts';
import { InboxNotice } from './billing/inbox/entities/inbox-notice.ts';
import { Invoice } from './billing/invoices/entities/invoice.ts';
import { InvoiceSettlement } from './billing/invoices/entities/invoice-settlement.ts';
import { Journal } from './billing/ledger/entities/journal.ts';
import { KeyRequest } from './keys/entities/key-request.ts';
import { LedgerEntry } from './billing/ledger/entities/ledger-entry.ts';
import { Mail } from './mail/entities/mail.ts';
import { Order } from './billing/orders/entities/order.ts';
import { Passkey } from './identity/entities/passkey.ts';
import { Payment } from './billing/payments/entities/payment.ts';
import { Recovery } from './identity/entities/recovery.ts';
import { RecoveryCode } from './identity/entities/recovery-code.ts';
import { Refund } from './billing/payments/entities/refund.ts';
import { SalesRequest } from './support/entities/sales-request.ts';
import { Session } from './identity/entities/session.ts';
import { SignInChallenge } from './identity/entities/sign-in-challenge.ts';
import { SignUp } from './identity/entities/sign-up.ts';
import { Totp } from './identity/entities/totp.ts';
import { createWebhookRoute } from './billing/inbox/doors/webhooks.ts';
import { signatureHeaderOf } from './billing/payments/providers/payment-methods.ts';
import { createInvoiceRoute } from './billing/invoices/doors/invoice-download.ts';
import { jobs } from './jobs.ts';
import type { Providers } from './context.ts';
import { createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { noteFact } from './identity/services/activity.ts';
import { refuseForStock, takeHold } from './billing/orders/services/await-stock.ts';
import { markDelivered } from './billing/orders/services/orders.ts';
import { creditDowntime } from './billing/ledger/services/credit-downtime.ts';
import { refundUndelivered } from './billing/orders/services/undelivered.ts';
import { notifyDeleted, notifyOfStock, notifyReady, warnOfBalance } from './mail/services/notify-of-products.ts';

export const accounts: SubgraphDefinition<Providers> = {
  name: 'accounts',
  schema,
  entities: [
    Arrangement,
    Account,
    Activity,
    ApiKey,
    ApiKeyDay,
    BillingDetails,
    BillingSubscription,
    ProcessorCustomer,
    ChatAttempt,
    StaffEnrolment,
    KnownDevice,
    ChatIdentity,
    CryptoCheckout,
    EmailChange,
    IdempotentRequest,
    InboxNotice,
    Invoice,
    InvoiceSettlement,
    Journal,
    KeyRequest,
    LedgerEntry,
    Mail,
    Order,
    Passkey,
    Payment,
    Recovery,
    RecoveryCode,
    Refund,
    SalesRequest,
    Session,
    SignInChallenge,
    SignUp,
    Totp,
  ],
  providers: createProviders,
  jobs,
  doors: (parts) => ({ routes: [createInvoiceRoute(parts), createWebhookRoute({ ...parts, signatureHeaderOf })] }),
  reactions: {
    'fulfilment.delivered': markDelivered,
    'fulfilment.failed': refundUndelivered,
    // The first release told of deliveries and failures by these alone, and may have left some unread. Where the general event stands beside one, it
    // has done the work.
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
    'compute_vps.deleted': notifyDeleted,
    'static_plan.credit_earned': creditDowntime,
    'static_stock.available': notifyOfStock,
    'static_stock.held': takeHold,
    'static_stock.refused': refuseForStock,
    'residential_plan.reset': noteFact,
    'residential_plan.limited': noteFact,
    'static_plan.credentials_changed': noteFact,
    'residential_plan.balance_low': warnOfBalance,
  },
};
