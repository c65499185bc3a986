// The subgraphs. Everything that starts, calls or mounts all of them takes them from here.
import { SUBGRAPHS, type SubgraphName } from './schema/subgraphs.ts';
import type { Platform } from '#platform/platform.ts';
import { type RunningSubgraph, type SubgraphDefinition, startSubgraph } from '#platform/subgraph.ts';
import { accounts } from './subgraphs/accounts/subgraph.ts';
import { compute } from './subgraphs/compute/subgraph.ts';
import { residential } from './subgraphs/residential/subgraph.ts';
import { staticProxies } from './subgraphs/static/subgraph.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- providers of any shape
type Definitions = { [Name in SubgraphName]: SubgraphDefinition<any, any> };

export const SUBGRAPH_DEFINITIONS = { accounts, residential, static: staticProxies, compute } satisfies Definitions;

/** Each with the type of its own definition. */
export type RunningSubgraphs = {
  [Name in SubgraphName]: (typeof SUBGRAPH_DEFINITIONS)[Name] extends SubgraphDefinition<infer Providers, infer Parts>
    ? RunningSubgraph<Providers, Parts>
    : never;
};

/** Calls `of` for each subgraph, one after the other. */
export async function ofEachSubgraph<Made>(of: (name: SubgraphName) => Made | Promise<Made>): Promise<Record<SubgraphName, Made>> {
  const made: Partial<Record<SubgraphName, Made>> = {};
  for (const name of SUBGRAPHS) made[name] = await of(name);
  return made as Record<SubgraphName, Made>;
}

/** Starts all subgraphs in this process; `opened` closes them. */
export async function startSubgraphs(platform: Platform, opened: AsyncDisposableStack): Promise<RunningSubgraphs> {
  const running = await ofEachSubgraph(async (name) => {
    const subgraph = await startSubgraph(platform, SUBGRAPH_DEFINITIONS[name] as SubgraphDefinition<unknown>);
    opened.defer(subgraph.close);
    return subgraph;
  });
  return running as RunningSubgraphs;
}
