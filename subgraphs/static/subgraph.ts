import { storeCountry } from '#commerce/tax.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSubscriptionFacts } from '#commerce/subscription-facts.ts';
import { StaticPlanEntity } from './plans/entities/static-plan.ts';
import { jobs } from './jobs.ts';
import { type StaticProviders, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { answerPlaced, forgetRefunded, freeForOrder, fulfilOrder } from './delivery/services/follow-orders.ts';
import { followSubscription } from './plans/services/follow-subscription.ts';

export const staticProxies: SubgraphDefinition<StaticProviders> = {
  name: 'static',
  schema,
  entities: [StaticPlanEntity],
  providers: createProviders,
  jobs,
  reactions: {
    'billing_details.changed': storeCountry,
    'order.placed': answerPlaced,
    'order.cancelled': freeForOrder,
    'order.expired': freeForOrder,
    'order.paid': fulfilOrder,
    'order.refunded': forgetRefunded,
    ...onSubscriptionFacts(followSubscription),
  },
};
