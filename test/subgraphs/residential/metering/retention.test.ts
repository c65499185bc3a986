// Details of use and logs of requests go after the days that the operator has set.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, after } from '#platform/clock.ts';
import { enrolOwnEdge } from '../../../../subgraphs/residential/edges/services/edges.ts';
import { forgetOldLeases, syncLeases } from '../../../../subgraphs/residential/leases/services/leases.ts';
import { receiveRequests } from '../../../../subgraphs/residential/requests/services/receive-requests.ts';
import { subjectOf } from '../../../../edge/protocol/subject.ts';
import { sessionOf } from '../../../kit/platform.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { type ResidentialWorld, startResidential } from '../world.ts';

let world: ResidentialWorld;
beforeAll(async () => {
  world = await startResidential({ RETAIN_USAGE_DAYS: '10', RETAIN_REQUESTS_DAYS: '2', RETAIN_LEASES_DAYS: '3' });
});
afterAll(() => world?.close());

const ago = (days: number) => after(world.clock.now(), -days * DAY);

test('the ledger takes no line that is older, and drops whole weeks of them; totals stay', async () => {
  const plan = await world.plan('acct_kept');
  expect(await world.use(plan, 5n, { at: ago(9.9) })).toMatchObject({ counted: 1 });
  expect(await world.use(plan, 5n, { at: ago(10.1) })).toMatchObject({ counted: 0, refused: [{ code: 'at_too_old' }] });
  await world.use(plan, 7n);
  const entries = async () => (await rowsOf(world.query, 'residential.usage_entry', { plan_id: plan.id })).length;
  await world.platform.queue.runNow('residential.ledger-care');
  expect(await entries()).toBe(2);
  world.clock.advance(8 * DAY);
  await world.platform.queue.runNow('residential.ledger-care');
  expect(await entries()).toBe(1);
  world.clock.advance(12 * DAY);
  await world.platform.queue.runNow('residential.ledger-care');
  expect(await entries()).toBe(0);
  expect((await world.planNow(plan.id)).downBytes).toBe(12n);
});

test('a lease that has ended is there for its days, and a report that comes later is not heard', async () => {
  await enrolOwnEdge(world.context(), 'node');
  const plan = await world.plan('acct_lease');
  const wants = [{ planId: plan.id, epoch: plan.credentialEpoch, bytes: 1_000, starved: false }];
  const { grants } = await syncLeases(world.context(), 'node', { reports: [], wants });
  const report = (down: number) => {
    const part = { country: 'de', session: null, host: 'a.example', client: '192.0.2.1', up: 0, down };
    return syncLeases(world.context(), 'node', { reports: [{ lease: grants[0]?.lease ?? '', parts: [part], final: true }], wants: [] });
  };
  await report(5);
  world.clock.advance(3.1 * DAY);
  await report(7);
  expect((await world.planNow(plan.id)).downBytes).toBe(7n);
  await forgetOldLeases(world.context());
  expect(await rowsOf(world.query, 'residential.lease', { plan_id: plan.id })).toEqual([]);
  await report(9);
  expect((await world.planNow(plan.id)).downBytes).toBe(7n);
});

test('a log of requests is shown and kept for its days alone, which the page is told', async () => {
  const plan = await world.plan('acct_log');
  const owner = sessionOf('acct_log');
  await world.must(owner, 'mutation ($plan: ID!) { residentialPlanSetRequestLog(id: $plan, mode: WHOLE) { id } }', { plan: plan.id });
  const request = {
    ...{ subject: subjectOf(plan.id, null), at: world.clock.now().getTime(), host: 'shop.example', port: 443, status: 200 },
    ...{ up: 1, down: 2, durationMs: 3, country: 'de' },
  };
  await receiveRequests(world.context(), 'edge', { id: 'one', requests: [request], gaps: [] });
  const shown = async () =>
    (
      await world.must<{ residentialPlan: { requestLog: { entries: object[] } } }>(
        owner,
        'query ($plan: ID!) { residentialPlan(id: $plan) { requestLog { entries(first: 5) { host } } } }',
        { plan: plan.id },
      )
    ).residentialPlan.requestLog.entries.length;
  world.clock.advance(1.9 * DAY);
  expect(await shown()).toBe(1);
  world.clock.advance(0.2 * DAY);
  expect(await shown()).toBe(0);
  await world.platform.queue.runNow('residential.requests-forget');
  expect(await rowsOf(world.query, 'residential.request_log', { plan_id: plan.id })).toEqual([]);
  expect(await world.must(owner, '{ residentialRules { requestLogDays } }')).toEqual({ residentialRules: { requestLogDays: 2 } });
});
