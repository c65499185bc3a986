// Measures how long the subgraphs take to answer the gateway, and counts the requests that fail.
import type { Metrics } from '#platform/metrics.ts';
import { isTracing, traced } from '#platform/tracing.ts';
import type { Source, Sources } from './source.ts';

/** The same sources, with their answers timed and traced and their failures counted; subscriptions are not measured here. */
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
          if (!isTracing()) return await source.execute(request, viewer, signal);
          return await traced({ name: `subgraph ${subgraph}`, kind: 'client', attributes: { 'peer.service': subgraph } }, () =>
            source.execute(request, viewer, signal),
          );
        } catch (error) {
          // The caller has gone: that says nothing about the subgraph.
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
