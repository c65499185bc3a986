// A process that stops ends open streams at once, and answers running calls.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fail } from '#platform/errors.ts';
import { type MemoryWorld, startMemoryWorld } from '../memory-world.ts';
import type { Loose } from '../world.ts';
import { modernRequest } from './clients.ts';

let world: MemoryWorld;
beforeAll(async () => {
  world = await startMemoryWorld();
});
afterAll(() => world.close());

test('a call that had begun is answered, a stream ends before it', async () => {
  const key = await world.key();
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  world.breakGraph({
    prepare: () => async () => {
      begun.resolve();
      await go.promise;
      throw fail('plan_not_found');
    },
  });
  const stream = await modernRequest(world.url, key, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const call = modernRequest(world.url, key, 'tools/call', { name: 'list_residential_plans', arguments: {} });
  await begun.promise;
  const closing = world.stop();
  await stream.text();
  go.resolve();
  const answer = await call;
  const text = await answer.text();
  expect([answer.status, JSON.parse(text.slice(text.indexOf('{'))) as Loose]).toMatchObject([
    200,
    { result: { isError: true, structuredContent: { code: 'plan_not_found' } } },
  ]);
  await closing;
});
