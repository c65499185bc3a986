import { HOUR } from '#shared/clock.ts';
import type { SubgraphDefinition } from '#shared/subgraph.ts';
import type { StaticProviders } from './builder.ts';
import { StaticPlanEntity } from './entities/static-plan.ts';
import { jobs } from './jobs.ts';
import { schema } from './schema.ts';

export const staticProxies: SubgraphDefinition<StaticProviders> = {
  name: 'static',
  schema,
  entities: [StaticPlanEntity],
  providers: ({ secrets, config }) => ({ sealing: secrets.sealing, restMs: config.ADDRESS_REST_HOURS * HOUR }),
  jobs,
  reactions: {},
};
