import { inTime } from '#platform/in-time.ts';
import type { Log } from '#platform/log.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import type { Source } from './source.ts';

/** Less than the 15 s after which the front gives up the caller's connection, so that a caller of a subgraph that hangs is answered with `overloaded`. */
const ANSWER_MS = 11_500;

/** A subgraph in this process: each document is parsed once, and results are not serialised. */
export function inProcessSource(subgraph: Subgraph, log: Log): Source {
  const runner = createSubgraphRunner(subgraph, log);
  return { ...runner, execute: (request, viewer, signal) => inTime(runner.execute(request, viewer, signal), ANSWER_MS) };
}
