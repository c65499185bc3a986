import type { SubgraphDefinition } from '#shared/subgraph.ts';
import { keepCountry } from '#shared/tax.ts';
import { jobs } from './jobs.ts';
import { type ComputeProviders, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { followSubscription } from './services/follow-subscription.ts';
import { fulfilOrder } from './services/fulfil-order.ts';
import { freeStock, keepStock } from './services/order-dedicated.ts';

export const compute: SubgraphDefinition<ComputeProviders> = {
  name: 'compute',
  schema,
  entities: [],
  providers: createProviders,
  jobs,
  reactions: {
    'order.placed': keepStock,
    'order.cancelled': freeStock,
    'order.expired': freeStock,
    'order.paid': fulfilOrder,
    'billing_details.changed': keepCountry,
    'subscription.started': followSubscription,
    'subscription.renewed': followSubscription,
    'subscription.past_due': followSubscription,
    'subscription.suspended': followSubscription,
    'subscription.resumed': followSubscription,
    'subscription.cancel_scheduled': followSubscription,
    'subscription.cancel_taken_back': followSubscription,
    'subscription.changed': followSubscription,
    'subscription.ended': followSubscription,
  },
};
