// How soon a subscriber and a proxy node's feed learn of a pause and its end, while other reports arrive.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GB } from '#platform/data-size.ts';
import { localControlPlane } from '../../../edge/local-control-plane.ts';
import { createPlansControl } from '../../../subgraphs/residential/edge-control.ts';
import { statusOf } from '../../../subgraphs/residential/plans/domain/plan-status.ts';
import { planFacts } from '../../../subgraphs/residential/edges/services/edges.ts';
import { setDailyLimit } from '../../../subgraphs/residential/plans/services/plan-settings.ts';
import { watchUsage } from '../../../subgraphs/residential/metering/services/watch-usage.ts';
import { sessionOf } from '../../kit/platform.ts';
import { type ResidentialWorld, startResidential } from '../../subgraphs/residential/world.ts';
import { scaled } from '../scale.ts';

const ROUNDS = scaled(300, 10);
const OTHERS = 50;

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential();
});
afterAll(() => world?.close());

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

test('pause and resume are felt within a second', async () => {
  const { platform } = world;
  const heard = new Map<string, () => void>();
  const plane = localControlPlane(
    { plans: createPlansControl({ context: world.context, notifications: platform.notifications }) },
    'prove',
  );
  const stop = plane.follow({ changed: ({ planId }) => heard.get(planId)?.(), beat: () => {}, lost: () => {} });
  const others = await Promise.all(Array.from({ length: OTHERS }, (_, place) => world.plan(`acct_other_${place}`, 'MOBILE', 10n ** 17n)));
  let busy = true;
  const load = (async () => {
    while (busy) await Promise.all(others.map((plan) => world.use(plan, 1_000n)));
  })();
  const taken: { pause: number[]; resume: number[] } = { pause: [], resume: [] };

  for (let round = 0; round < ROUNDS; round++) {
    const account = `acct_${round}`;
    const plan = await world.plan(account);
    const abort = new AbortController();
    const statuses = (await watchUsage(world.subgraph.context(sessionOf(account), abort.signal), plan.id))[Symbol.asyncIterator]();
    const subscriber = async (wanted: string) => {
      for (let seen = await statuses.next(); !seen.done; seen = await statuses.next()) if (statusOf(seen.value) === wanted) return;
    };
    const node = async (wanted: string) => {
      for (;;) {
        const news = new Promise<void>((resolve) => heard.set(plan.id, resolve));
        if ((await planFacts(world.context(), plan.username))?.status === wanted) return;
        await news;
      }
    };
    await setDailyLimit(world.as(sessionOf(account)), plan.id, GB);
    const measure = async (kind: 'pause' | 'resume', wanted: string, change: () => Promise<unknown>) => {
      const began = performance.now();
      const felt = Promise.all([subscriber(wanted), node(wanted)]);
      await Promise.all([change(), felt]);
      taken[kind].push(performance.now() - began);
    };
    await measure('pause', 'PAUSED', () => world.use(plan, GB));
    await measure('resume', 'ACTIVE', () => setDailyLimit(world.as(sessionOf(account)), plan.id, 2n * GB));
    heard.delete(plan.id);
    abort.abort();
  }
  busy = false;
  await load;
  stop();
  for (const [kind, values] of Object.entries(taken)) {
    console.log(
      `  ${kind}, ${values.length} times: p50 ${percentile(values, 0.5).toFixed(0)} ms, p99 ${percentile(values, 0.99).toFixed(0)} ms`,
    );
    expect(percentile(values, 0.99)).toBeLessThan(1_000);
  }
});
