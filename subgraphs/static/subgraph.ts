import { reportHolders } from './inventory/services/report-holders.ts';
import { onSuspensionFacts } from '#commerce/account-suspension.ts';
import { onFreezeFacts } from '#commerce/purchase-freeze.ts';
import { storeCountry } from '#commerce/tax.ts';
import { createDataRoute } from '#platform/kept-data-file.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSubscriptionFacts } from '#commerce/subscription-facts.ts';
import type { StaticPlansControl } from '../../edge/protocol/control-parts.ts';
import { createStaticPlansControl } from './edge-control.ts';
import { StaticPlanEntity } from './plans/entities/static-plan.ts';
import { jobs } from './jobs.ts';
import { figures } from './figures.ts';
import { kept } from './kept.ts';
import { sealed } from './sealed.ts';
import { type StaticProviders, createProviders } from './providers.ts';
import { answerPlaced, forgetRefunded, freeForOrder, fulfilOrder, holdForReview } from './delivery/services/follow-orders.ts';
import { followSubscription } from './plans/services/follow-subscription.ts';
import { followFreeze } from './plans/services/follow-freeze.ts';
import { followSuspension } from './plans/services/follow-suspension.ts';
import { giveRecord } from './plans/services/give-record.ts';

export const staticProxies: SubgraphDefinition<StaticProviders, { staticPlans: StaticPlansControl }> = {
  name: 'static',
  schema: async () => (await import('./schema.ts')).schema,
  entities: [StaticPlanEntity],
  providers: createProviders,
  jobs,
  sealed,
  kept,
  figures,
  doors: (parts) => ({ routes: [createDataRoute('static', 'staticData', parts)] }),
  parts: (context, { notifications }) => ({ staticPlans: createStaticPlansControl({ context: () => context('edges'), notifications }) }),
  reactions: {
    'billing_details.changed': storeCountry,
    'vat_id.checked': storeCountry,
    'order.placed': answerPlaced,
    'order.cancelled': freeForOrder,
    'order.expired': freeForOrder,
    'order.held': holdForReview,
    'order.paid': fulfilOrder,
    'abuse_case.use_asked': reportHolders,
    'purchase.records_asked': giveRecord,
    'order.refunded': forgetRefunded,
    ...onSubscriptionFacts(followSubscription),
    ...onSuspensionFacts(followSuspension, kept),
    ...onFreezeFacts(followFreeze),
  },
};
