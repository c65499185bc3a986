// The subgraphs: who else starts, asks or mounts them takes them from here.
import type { SubgraphName } from './schema/subgraphs.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { accounts } from './subgraphs/accounts/subgraph.ts';
import { compute } from './subgraphs/compute/subgraph.ts';
import { residential } from './subgraphs/residential/subgraph.ts';
import { staticProxies } from './subgraphs/static/subgraph.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- providers of any shape
type Definitions = { [Name in SubgraphName]: SubgraphDefinition<any> };

export const SUBGRAPH_DEFINITIONS = { accounts, residential, static: staticProxies, compute } satisfies Definitions;
