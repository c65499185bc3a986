// One room alone on a test database, asked as the gateway asks it: what every world of a room begins with and extends.
import type { ExecutionResult } from 'graphql';
import type { Context } from '#platform/context.ts';
import type { Viewer } from '#platform/identity.ts';
import { type SubgraphDefinition, startSubgraph } from '#platform/subgraph.ts';
import { type ResultStream, createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { type GivenVendors, NOWHERE } from './nowhere.ts';
import { type TestPlatform, startPlatform } from './platform.ts';
import { eventsOf } from './tables.ts';

interface Surroundings {
  /** Overrides configuration variables. */
  environment?: Record<string, string>;
  vendors?: GivenVendors;
  /** `false`: jobs and events are left to the test. */
  work?: boolean;
  /** Starts what stands beside the room and goes by the platform's clock, before the room itself. */
  beside?: (platform: TestPlatform) => Promise<void>;
}

export async function openRoom<Providers, Parts extends object = object>(
  definition: SubgraphDefinition<Providers, Parts>,
  { environment, vendors = NOWHERE, work = true, beside }: Surroundings = {},
) {
  const platform = await startPlatform(environment, vendors);
  await beside?.(platform);
  const subgraph = await startSubgraph(platform, definition, { work });
  const runner = createSubgraphRunner(subgraph, platform.log);
  const { query } = platform.database;
  const ask = (viewer: Viewer, text: string, variables: Record<string, unknown> = {}): Promise<ExecutionResult> =>
    runner.execute({ query: text, variables }, viewer);
  return {
    platform,
    clock: platform.clock,
    subgraph,
    query,
    /** A context of the platform's own, for calling use cases directly. */
    context: (): Context<Providers> => subgraph.systemContext('test'),
    /** A context of this caller. */
    as: (viewer: Viewer): Context<Providers> => subgraph.context(viewer),
    /** The room's answer to this viewer. */
    ask,
    /** As above; an error of the answer is thrown. */
    async must<Data>(viewer: Viewer, text: string, variables?: Record<string, unknown>): Promise<Data> {
      const { data, errors } = await ask(viewer, text, variables);
      if (errors?.[0]) throw new Error(errors[0].message);
      return data as Data;
    },
    /** Its answers to this viewer as they come, or why there are none. */
    subscribe: (
      viewer: Viewer,
      text: string,
      variables: Record<string, unknown> = {},
      signal?: AbortSignal,
    ): Promise<ResultStream | ExecutionResult> => runner.subscribe({ query: text, variables }, viewer, signal),
    /** What the log says of a subject. */
    events: (subject: string, type?: string) => eventsOf(query, subject, type),
    async close(): Promise<void> {
      await subgraph.close();
      await platform.close();
    },
  };
}
