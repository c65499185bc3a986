import { createDataRoute } from '#platform/kept-data-file.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSuspensionFacts } from '#commerce/account-suspension.ts';
import { onFreezeFacts } from '#commerce/purchase-freeze.ts';
import { onSubscriptionFacts } from '#commerce/subscription-facts.ts';
import { storeCountry } from '#commerce/tax.ts';
import { createConsoleRoute } from './consoles/doors/console.ts';
import { jobs } from './jobs.ts';
import { figures } from './figures.ts';
import { kept } from './kept.ts';
import { sealed } from './sealed.ts';
import { checks } from './checks.ts';
import { createSeedRoute } from './machine-seeds.ts';
import { SEED_PATH } from './provisioning/services/seed-address.ts';
import { type ComputeProviders, createProviders } from './providers.ts';
import { giveRecord } from './provisioning/services/give-record.ts';
import { followFreeze } from './provisioning/services/follow-freeze.ts';
import { followSuspension } from './provisioning/services/follow-suspension.ts';
import { fulfilOrder } from './orders/services/fulfil-order.ts';
import { followServer } from './orders/services/repriced-servers.ts';
import { answerPlaced, freeStock, holdForReview } from './orders/services/order-dedicated.ts';

export const compute: SubgraphDefinition<ComputeProviders> = {
  name: 'compute',
  schema: async () => (await import('./schema.ts')).schema,
  entities: [],
  providers: createProviders,
  jobs,
  sealed,
  kept,
  figures,
  checks,
  doors: (parts) => ({ routes: [createDataRoute('servers', 'computeData', parts)], upgrades: [createConsoleRoute(parts)] }),
  paths: [SEED_PATH],
  routes: (context) => [createSeedRoute(() => context('seeds'))],
  reactions: {
    'order.placed': answerPlaced,
    'order.cancelled': freeStock,
    'order.expired': freeStock,
    'order.held': holdForReview,
    'order.paid': fulfilOrder,
    'order.refunded': freeStock,
    'purchase.records_asked': giveRecord,
    'billing_details.changed': storeCountry,
    'vat_id.checked': storeCountry,
    ...onSubscriptionFacts(followServer),
    ...onSuspensionFacts(followSuspension, kept),
    ...onFreezeFacts(followFreeze),
  },
};
