// What the gateway's questions to subgraphs take, and how many are not answered.
import type { Metrics } from '#platform/metrics.ts';
import { traced } from '#platform/tracing.ts';
import type { Source, Sources } from './source.ts';

/** The same sources, whose answers are timed and whose failures are counted. A subscription is counted where it begins. */
export function measuredSources(sources: Sources, { subgraphSeconds, subgraphFailures }: Metrics): Sources {
  const measured = (subgraph: string, source: Source): Source => {
    const seconds = subgraphSeconds.labels(subgraph);
    const failures = subgraphFailures.labels(subgraph);
    return {
      subscribe: (request, viewer, signal) => source.subscribe(request, viewer, signal),
      close: async () => source.close?.(),
      async execute(request, viewer, signal) {
        const started = performance.now();
        try {
          return await traced({ name: `subgraph ${subgraph}`, kind: 'client', attributes: { 'peer.service': subgraph } }, () =>
            source.execute(request, viewer, signal),
          );
        } catch (error) {
          // Whoever asked has left: that says nothing of the subgraph.
          if (!signal?.aborted) failures.inc();
          throw error;
        } finally {
          seconds.observe((performance.now() - started) / 1_000);
        }
      },
    };
  };
  return Object.fromEntries(Object.entries(sources).map(([subgraph, source]) => [subgraph, measured(subgraph, source)]));
}
