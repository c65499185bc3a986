import { inTime } from '#platform/in-time.ts';
import type { Log } from '#platform/log.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import type { Subgraph } from '#platform/subgraph.ts';
import type { Source } from './source.ts';

/** Before the front gives the caller's connection up (15 s): a step that waits for a part that hangs is answered as `overloaded`, whatever it waits for. */
const ANSWER_MS = 11_500;

/** A subgraph of this process: documents are parsed once, results are handed over without serialising them. */
export function inProcessSource(subgraph: Subgraph, log: Log): Source {
  const runner = createSubgraphRunner(subgraph, log);
  return { ...runner, execute: (request, viewer, signal) => inTime(runner.execute(request, viewer, signal), ANSWER_MS) };
}
