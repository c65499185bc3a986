import type { Log } from '#shared/log.ts';
import { createSubgraphRunner } from '#shared/subgraph-runner.ts';
import type { Subgraph } from '#shared/subgraph.ts';
import type { Source } from './source.ts';

/** A subgraph of this process: documents are parsed once, results are handed over without serialising them. */
export const inProcessSource = (subgraph: Subgraph, log: Log): Source => createSubgraphRunner(subgraph, log);
