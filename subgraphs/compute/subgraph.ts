import type { SubgraphDefinition } from '#shared/subgraph.ts';
import { schema } from './schema.ts';

export const compute: SubgraphDefinition<null> = {
  name: 'compute',
  schema,
  entities: [],
  providers: () => null,
  jobs: [],
  reactions: {},
};
