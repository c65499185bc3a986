// A part of the platform that is away, or a scope that a key lacks, takes its own fields from an answer and nothing else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestClock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { silentLog } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import { type Gateway, createGateway } from '../../../gateway/graph/gateway.ts';
import type { Source } from '../../../gateway/graph/sources/source.ts';
import { supergraphSdl } from '../../../schema/contracts.ts';
import { origin } from '../world.ts';

const answering = (data: Record<string, unknown>): Source => ({
  execute: async () => ({ data }),
  subscribe: () => Promise.reject(new Error('nothing is subscribed to')),
});
const away: Source = { ...answering({}), execute: () => Promise.reject(fail('overloaded', { retry_after_seconds: 1 })) };
/** As a subgraph answers that could not run the operation at all: an error without a path. */
const broken: Source = { ...answering({}), execute: async () => ({ errors: [{ message: 'broken' }] as never }) };

const sources: Record<string, Source> = {
  accounts: answering({ me: { __typename: 'Account', id: 'acct_1' } }),
  residential: answering({ residentialPlans: [{ id: 'plan_1' }], plans: [{ id: 'plan_1' }] }),
  static: away,
  compute: broken,
};
let gateway: Gateway;
beforeAll(async () => {
  gateway = await createGateway({
    supergraphSdl: supergraphSdl(),
    sources,
    log: silentLog,
    metrics: createMetrics(),
    clock: new TestClock(),
  });
});
afterAll(() => gateway.close());

const viewer: Viewer = { kind: 'session', accountId: 'acct_1', sessionId: 's', staff: false, ...origin };
const ask = (query: string) => gateway.execute(gateway.prepare(query), { viewer });

test('what other parts know is answered, and each lost field has its error with its path', async () => {
  const { data, errors } = await ask(
    '{ me { id } residentialPlans { id } mine: staticPlans { total } staticProducts { id } servers { id } }',
  );
  expect(data).toEqual({ me: { id: 'acct_1' }, residentialPlans: [{ id: 'plan_1' }], mine: null, staticProducts: null, servers: null });
  expect(errors?.map(({ path, extensions }) => [path?.join('.'), extensions['code']]).toSorted()).toEqual([
    ['mine', 'overloaded'],
    ['servers', 'internal'],
    ['staticProducts', 'overloaded'],
  ]);
});

test('what an answer is nothing without still empties it: a price, or lines', async () => {
  const { data, errors } = await ask('{ me { id } vpsOffer(plan: PLANK, months: 1, os: UBUNTU_24_04) { token } }');
  expect(data).toBeNull();
  expect(errors?.[0]?.path).toEqual(['vpsOffer']);
});
