import { FEDERATION } from '#shared/schema-builder.ts';
import { builder } from './builder.ts';
import './graphql/access.ts';
import './graphql/account.ts';
import './graphql/activity.ts';
import './graphql/api-key.ts';
import './graphql/bank-transfer.ts';
import './graphql/arrangement.ts';
import './graphql/billing-subscription.ts';
import './graphql/caller-identity.ts';
import './graphql/chat.ts';
import './graphql/closing.ts';
import './graphql/credit.ts';
import './graphql/invoice.ts';
import './graphql/key-request.ts';
import './graphql/money.ts';
import './graphql/order.ts';
import './graphql/payment.ts';
import './graphql/session.ts';
import './graphql/support.ts';
import './graphql/two-factor.ts';
import './graphql/webhook-receipt.ts';

builder.queryType({});
builder.mutationType({});
builder.subscriptionType({});

export const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION });
