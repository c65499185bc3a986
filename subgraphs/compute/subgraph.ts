import type { SubgraphDefinition } from '#shared/subgraph.ts';
import { jobs } from './jobs.ts';
import { type ComputeProviders, createProviders } from './providers.ts';
import { schema } from './schema.ts';
import { beginVps } from './services/order-vps.ts';

export const compute: SubgraphDefinition<ComputeProviders> = {
  name: 'compute',
  schema,
  entities: [],
  providers: createProviders,
  jobs,
  reactions: { 'order.paid': beginVps },
};
