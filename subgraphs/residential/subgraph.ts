import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { storeCountry } from '#commerce/tax.ts';
import type { PlansControl } from '../../edge/protocol/control-parts.ts';
import { createPlansControl } from './edge-control.ts';
import { PlanEntity } from './plans/entities/plan.ts';
import { createProxyListRoute } from './generation/doors/proxy-list.ts';
import { createUsageExportRoute } from './metering/doors/usage-export.ts';
import { usageSourcesOf } from './metering/configuration.ts';
import { createUsageReportsRoute } from './metering/doors/usage-reports.ts';
import { jobs } from './jobs.ts';
import { type Providers, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { fulfilOrder, withdrawOrder } from './plans/services/fulfil-order.ts';

export const residential: SubgraphDefinition<Providers, { plans: PlansControl }> = {
  name: 'residential',
  schema,
  entities: [PlanEntity],
  providers: createProviders,
  jobs,
  doors: (parts) => ({
    routes: [createProxyListRoute(parts), createUsageExportRoute(parts), createUsageReportsRoute(parts, usageSourcesOf(parts))],
  }),
  parts: (context, { notifications }) => ({ plans: createPlansControl({ context: () => context('edges'), notifications }) }),
  reactions: { 'order.paid': fulfilOrder, 'order.refunded': withdrawOrder, 'billing_details.changed': storeCountry },
};
