import { createDataRoute } from '#platform/kept-data-file.ts';
import { reportUse } from './metering/services/report-use.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { onSuspensionFacts } from '#commerce/account-suspension.ts';
import { onFreezeFacts } from '#commerce/purchase-freeze.ts';
import { storeCountry } from '#commerce/tax.ts';
import type { PlansControl } from '../../edge/protocol/control-parts.ts';
import { createPlansControl } from './edge-control.ts';
import { PlanEntity } from './plans/entities/plan.ts';
import { createProxyListRoute } from './generation/doors/proxy-list.ts';
import { createVisitorRoute } from './generation/doors/visitor.ts';
import { createUserPageRoute } from './users/doors/user-page.ts';
import { createUsageExportRoute } from './metering/doors/usage-export.ts';
import { createRequestExportRoute } from './requests/doors/request-export.ts';
import { giveRecord } from './metering/services/give-record.ts';
import { usageSourcesOf } from './metering/configuration.ts';
import { createUsageReportsRoute } from './metering/doors/usage-reports.ts';
import { jobs } from './jobs.ts';
import { figures } from './figures.ts';
import { kept } from './kept.ts';
import { sealed } from './sealed.ts';
import { type Providers, createProviders } from './providers.ts';
import { hearDeclined, hearGivenUp } from './plans/services/auto-top-up.ts';
import { followFreeze } from './plans/services/follow-freeze.ts';
import { followSuspension } from './plans/services/follow-suspension.ts';
import { endOrdered, fulfilOrder, withdrawOrder } from './plans/services/fulfil-order.ts';

export const residential: SubgraphDefinition<Providers, { plans: PlansControl }> = {
  name: 'residential',
  schema: async () => (await import('./schema.ts')).schema,
  entities: [PlanEntity],
  providers: createProviders,
  jobs,
  sealed,
  kept,
  figures,
  doors: (parts) => ({
    routes: [
      createDataRoute('residential', 'residentialData', parts),
      createProxyListRoute(parts),
      createVisitorRoute(),
      createUserPageRoute(parts),
      createUsageExportRoute(parts),
      createRequestExportRoute(parts),
      createUsageReportsRoute(parts, usageSourcesOf(parts)),
    ],
  }),
  parts: (context, { notifications }) => ({ plans: createPlansControl({ context: () => context('edges'), notifications }) }),
  reactions: {
    'order.paid': fulfilOrder,
    'order.refunded': withdrawOrder,
    'order.withdrawn': endOrdered,
    'order.cancelled': hearGivenUp,
    'order.expired': hearGivenUp,
    'top_up.declined': hearDeclined,
    'billing_details.changed': storeCountry,
    'vat_id.checked': storeCountry,
    'abuse_case.use_asked': reportUse,
    'purchase.records_asked': giveRecord,
    ...onSuspensionFacts(followSuspension, kept),
    ...onFreezeFacts(followFreeze),
  },
};
