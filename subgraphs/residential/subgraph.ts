import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { keepCountry } from '#commerce/tax.ts';
import { PlanEntity } from './plans/entities/plan.ts';
import { jobs } from './jobs.ts';
import { type Providers, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { fulfilOrder, withdrawOrder } from './plans/services/fulfil-order.ts';

export const residential: SubgraphDefinition<Providers> = {
  name: 'residential',
  schema,
  entities: [PlanEntity],
  providers: createProviders,
  jobs,
  reactions: { 'order.paid': fulfilOrder, 'order.refunded': withdrawOrder, 'billing_details.changed': keepCountry },
};
