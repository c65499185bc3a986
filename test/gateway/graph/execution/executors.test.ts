// Our executor against the library's own: random valid operations on the same graph must give the same answers.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compiledExecutor } from '../../../../gateway/graph/execution/compiled-executor.ts';
import { type Gateway, createGateway } from '../../../../gateway/graph/gateway.ts';
import { inProcessSource } from '../../../../gateway/graph/sources/in-process.ts';
import { systemClock } from '#platform/clock.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { MODES, type Mode, type TestGateway, startGateway } from '../../world.ts';
import { compareExecutors } from './compare-executors.ts';
import { operations } from './random-operations.ts';
import { randomGraph } from './random-graph.ts';
import { stockExecutor } from './stock-executor.ts';

// The seed is fixed. To search with other operations, run with `EXECUTOR_SEED=$RANDOM EXECUTOR_RUNS=5000`.
const SEED = Number(process.env['EXECUTOR_SEED'] ?? 1);
const runs = (usual: number) => Number(process.env['EXECUTOR_RUNS'] ?? usual);

/** How many of the operations were compared: the others were refused. */
async function compare(ours: Gateway, theirs: Gateway, usual: number): Promise<number> {
  let compared = 0;
  const property = fc.asyncProperty(operations(ours.apiSchema), async (query) => {
    if (await compareExecutors(ours, theirs, query)) compared++;
  });
  await fc.assert(property, { seed: SEED, numRuns: runs(usual), endOnFailure: true });
  return compared;
}

describe.each(MODES)('over subgraphs %s', (mode: Mode) => {
  let ours: TestGateway;
  let theirs: TestGateway;
  beforeAll(async () => {
    ours = await startGateway(mode, { executor: compiledExecutor });
    theirs = await startGateway(mode, { executor: stockExecutor });
    for (const { world } of [ours, theirs]) world.plans.set('13', { id: '13', name: 'Unlucky', ownerId: 'a' });
  });
  afterAll(async () => {
    await ours.close();
    await theirs.close();
  });

  test('random operations give the same data and the same errors', async () => {
    expect(await compare(ours.gateway, theirs.gateway, mode === 'in process' ? 400 : 100)).toBeGreaterThan(50);
  });
});

test.each(Array.from({ length: 6 }, (_, index) => SEED + index))('so do those on a random graph, number %i', async (seed) => {
  const { supergraphSdl, subgraphs } = randomGraph(seed);
  const sources = Object.fromEntries(subgraphs.map((subgraph) => [subgraph.name, inProcessSource(subgraph, silentLog)]));
  const open = (executor: typeof compiledExecutor) =>
    createGateway({ supergraphSdl, sources, log: silentLog, metrics: createMetrics(), clock: systemClock, executor });
  const [ours, theirs] = await Promise.all([open(compiledExecutor), open(stockExecutor)]);
  expect(await compare(ours, theirs, 150)).toBeGreaterThan(40);
  await Promise.all([ours.close(), theirs.close()]);
});
