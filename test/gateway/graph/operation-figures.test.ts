// Metrics of operations use the schema's names, not the names that callers give.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestGateway, anonymous, ask, startGateway } from '../world.ts';

let started: TestGateway;
beforeAll(async () => {
  started = await startGateway('in process');
});
afterAll(() => started.close());

test('an operation is timed by its first field, and counted by code where it ends with an error', async () => {
  const { gateway, metrics } = started;
  await ask(gateway, 'query whateverTheySay { one: viewerKind }', {}, anonymous);
  started.world.plans.set('p1', { id: 'p1', name: 'One', ownerId: 'a' });
  await ask(gateway, 'query other { plan(id: "p1") { refused } }', {}, anonymous);
  const timed = (await metrics.operationSeconds.get()).values.filter(({ metricName }) => metricName?.endsWith('_count'));
  expect(timed.map(({ labels, value }) => [labels['operation'], value])).toEqual([
    ['viewerKind', 1],
    ['plan', 1],
  ]);
  const failed = (await metrics.operationFailures.get()).values;
  expect(failed).toMatchObject([{ labels: { operation: 'plan', code: expect.stringMatching(/^[a-z_]+$/) }, value: 1 }]);
});
