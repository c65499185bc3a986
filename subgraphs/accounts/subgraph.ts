import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { Account } from './entities/account.ts';
import { Activity } from './entities/activity.ts';
import { ApiKey } from './entities/api-key.ts';
import { ApiKeyDay } from './entities/api-key-day.ts';
import { BillingDetails } from './entities/billing-details.ts';
import { Arrangement } from './entities/arrangement.ts';
import { BillingSubscription } from './entities/billing-subscription.ts';
import { CardCustomer } from './entities/card-customer.ts';
import { ChatAttempt } from './entities/chat-attempt.ts';
import { StaffEnrolment } from './entities/staff-enrolment.ts';
import { KnownDevice } from './entities/known-device.ts';
import { ChatIdentity } from './entities/chat-identity.ts';
import { CryptoCheckout } from './entities/crypto-checkout.ts';
import { EmailChange } from './entities/email-change.ts';
import { IdempotentRequest } from './entities/idempotent-request.ts';
import { InboxNotice } from './entities/inbox-notice.ts';
import { Invoice } from './entities/invoice.ts';
import { InvoiceSettlement } from './entities/invoice-settlement.ts';
import { Journal } from './entities/journal.ts';
import { KeyRequest } from './entities/key-request.ts';
import { LedgerEntry } from './entities/ledger-entry.ts';
import { Mail } from './entities/mail.ts';
import { Order } from './entities/order.ts';
import { Passkey } from './entities/passkey.ts';
import { Payment } from './entities/payment.ts';
import { Recovery } from './entities/recovery.ts';
import { RecoveryCode } from './entities/recovery-code.ts';
import { Refund } from './entities/refund.ts';
import { SalesRequest } from './entities/sales-request.ts';
import { Session } from './entities/session.ts';
import { SignInChallenge } from './entities/sign-in-challenge.ts';
import { SignUp } from './entities/sign-up.ts';
import { Totp } from './entities/totp.ts';
import { jobs } from './jobs.ts';
import { type Providers, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { noteDeed } from './services/activity.ts';
import { refuseForStock, takeHold } from './services/await-stock.ts';
import { markDelivered } from './services/orders.ts';
import { creditDowntime, tellOfStock } from './services/tell-of-static.ts';
import { refundUndelivered } from './services/undelivered.ts';
import { tellDeleted, tellReady } from './services/tell-of-server.ts';
import { warnOfBalance } from './services/warn-of-balance.ts';

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
    CardCustomer,
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
  reactions: {
    'compute_dedicated.delivered': markDelivered,
    'compute_dedicated.failed': refundUndelivered,
    'compute_stock.held': takeHold,
    'compute_stock.refused': refuseForStock,
    'compute_vps.adjusted': markDelivered,
    'compute_vps.created': tellReady,
    'compute_vps.deleted': tellDeleted,
    'compute_vps.failed': refundUndelivered,
    'residential_plan.created': markDelivered,
    'static_plan.delivered': markDelivered,
    'static_plan.credit_earned': creditDowntime,
    'static_plan.failed': refundUndelivered,
    'static_stock.available': tellOfStock,
    'static_stock.held': takeHold,
    'static_stock.refused': refuseForStock,
    'residential_plan.reset': noteDeed,
    'residential_plan.limited': noteDeed,
    'static_plan.credentials_changed': noteDeed,
    'residential_plan.balance_low': warnOfBalance,
  },
};
