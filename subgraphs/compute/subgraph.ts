import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSubscriptionFacts } from '#commerce/subscription-facts.ts';
import { storeCountry } from '#commerce/tax.ts';
import { createConsoleRoute } from './consoles/doors/console.ts';
import { jobs } from './jobs.ts';
import { createSeedRoute } from './machine-seeds.ts';
import { type ComputeProviders, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { followSubscription } from './provisioning/services/follow-subscription.ts';
import { fulfilOrder } from './orders/services/fulfil-order.ts';
import { answerPlaced, freeStock } from './orders/services/order-dedicated.ts';

export const compute: SubgraphDefinition<ComputeProviders> = {
  name: 'compute',
  schema,
  entities: [],
  providers: createProviders,
  jobs,
  doors: (parts) => ({ upgrades: [createConsoleRoute(parts)] }),
  routes: (context) => [createSeedRoute(() => context('seeds'))],
  reactions: {
    'order.placed': answerPlaced,
    'order.cancelled': freeStock,
    'order.expired': freeStock,
    'order.paid': fulfilOrder,
    'billing_details.changed': storeCountry,
    ...onSubscriptionFacts(followSubscription),
  },
};
