import type { SubgraphDefinition } from '#shared/subgraph.ts';
import { Account } from './entities/account.ts';
import { ApiKey } from './entities/api-key.ts';
import { BillingSubscription } from './entities/billing-subscription.ts';
import { InboxNotice } from './entities/inbox-notice.ts';
import { Mail } from './entities/mail.ts';
import { Order } from './entities/order.ts';
import { Payment } from './entities/payment.ts';
import { Session } from './entities/session.ts';
import { SignUp } from './entities/sign-up.ts';
import { jobs } from './jobs.ts';
import { type Providers, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { markDelivered } from './services/orders.ts';

export const accounts: SubgraphDefinition<Providers> = {
  name: 'accounts',
  schema,
  entities: [Account, ApiKey, BillingSubscription, InboxNotice, Mail, Order, Payment, Session, SignUp],
  providers: createProviders,
  jobs,
  reactions: { 'residential_plan.created': markDelivered },
};
