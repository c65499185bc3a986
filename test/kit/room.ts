// Runs one subgraph alone on a test database, and queries it as the gateway does. Every test world of a subgraph extends this.
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
  /** `false`: the test runs jobs and event readers itself. */
  work?: boolean;
  /** Runs before the subgraph starts: starts what the subgraph talks to and what uses the platform's clock. */
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
    /** The platform's own context, for calling use cases directly. */
    context: (): Context<Providers> => subgraph.systemContext('test'),
    /** The context of this viewer. */
    as: (viewer: Viewer): Context<Providers> => subgraph.context(viewer),
    /** The subgraph's answer to this viewer. */
    ask,
    /** Returns the answer's data as `ask` does, and throws the answer's first error. */
    async must<Data>(viewer: Viewer, text: string, variables?: Record<string, unknown>): Promise<Data> {
      const { data, errors } = await ask(viewer, text, variables);
      if (errors?.[0]) throw new Error(errors[0].message);
      return data as Data;
    },
    /** The answers to this viewer's subscription as they come, or the errors that refuse it. */
    subscribe: (
      viewer: Viewer,
      text: string,
      variables: Record<string, unknown> = {},
      signal?: AbortSignal,
    ): Promise<ResultStream | ExecutionResult> => runner.subscribe({ query: text, variables }, viewer, signal),
    /** The events about a subject, oldest first. */
    events: (subject: string, type?: string) => eventsOf(query, subject, type),
    async close(): Promise<void> {
      await subgraph.close();
      await platform.close();
    },
  };
}
