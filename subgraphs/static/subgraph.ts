import { storeCountry } from '#commerce/tax.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSubscriptionFacts } from '#commerce/subscription-facts.ts';
import type { StaticPlansControl } from '../../edge/protocol/control-parts.ts';
import { createStaticPlansControl } from './edge-control.ts';
import { StaticPlanEntity } from './plans/entities/static-plan.ts';
import { jobs } from './jobs.ts';
import { type StaticProviders, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { answerPlaced, forgetRefunded, freeForOrder, fulfilOrder } from './delivery/services/follow-orders.ts';
import { followSubscription } from './plans/services/follow-subscription.ts';

export const staticProxies: SubgraphDefinition<StaticProviders, { staticPlans: StaticPlansControl }> = {
  name: 'static',
  schema,
  entities: [StaticPlanEntity],
  providers: createProviders,
  jobs,
  parts: (context, { notifications }) => ({ staticPlans: createStaticPlansControl({ context: () => context('edges'), notifications }) }),
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
